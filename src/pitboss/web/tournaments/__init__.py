"""Tournaments of the store: followed while they run, wherever that is, and started from a page if that is allowed."""
