"""Intervals, verdicts, sequential tests and ratings: numbers that say how sure they are."""
