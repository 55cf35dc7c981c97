"""Flip 7 solved: a round from any hand and deck, the race to the target, the duel of two. Start at `oracle`."""
