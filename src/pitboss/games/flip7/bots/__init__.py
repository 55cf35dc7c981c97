"""Bots that know an answer or search for one, by the names in `table.registry`."""
