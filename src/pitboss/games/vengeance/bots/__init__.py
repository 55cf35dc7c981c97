"""The built-in bots of Flip 7: With a Vengeance."""
