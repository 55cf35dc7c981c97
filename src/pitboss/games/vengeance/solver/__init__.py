"""Exact answers for one player's round of Flip 7: With a Vengeance."""
