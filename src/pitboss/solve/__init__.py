"""Exact answers for small games: the whole tree, its value, and how much any bot gives away."""
