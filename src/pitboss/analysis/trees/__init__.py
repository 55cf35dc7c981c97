"""The whole tree of a small game: its value, and what any bot gives away on it. Start at `tree`."""
