"""Tournaments: who meets whom, who referees, who is best."""

DEFAULT_STORE = "pitboss.db"  # where tournaments are kept, unless somebody says otherwise
