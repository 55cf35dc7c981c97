"""Tournaments: who meets whom, who referees, who is best."""
