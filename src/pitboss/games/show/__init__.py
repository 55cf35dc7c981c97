"""Show, a two-player game of hidden cards. Bot authors import from here."""

from pitboss.core.bot import compiled_bot
from pitboss.games.show.bot import ShowBot
from pitboss.games.show.rules import ShowRules as Rules
from pitboss.games.show.view import ShowDecision as Decision
from pitboss.games.show.view import ShowView as View

__all__ = ["Decision", "Rules", "ShowBot", "View", "compiled_bot"]
