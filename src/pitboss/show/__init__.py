"""Show, a two-player game of hidden cards. Bot authors import from here."""

from pitboss.show.bot import ShowBot
from pitboss.show.rules import Rules
from pitboss.show.view import Decision, View
from pitboss.table.bot import compiled_bot

__all__ = ["Decision", "Rules", "ShowBot", "View", "compiled_bot"]
