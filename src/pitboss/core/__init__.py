"""What every game shares: keys, the Game protocol, dealers, bots, the play loop, records."""
