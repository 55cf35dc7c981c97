"""Bots for Show."""
