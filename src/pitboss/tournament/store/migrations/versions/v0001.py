"""The first schema: tournaments, their schedule, and what was played."""

import sqlalchemy as sa
from alembic import op

from pitboss.core.types import Data

revision = "0001"
down_revision = None


NUMBER, WORDS, LIST, BYTES = sa.Integer(), sa.Text(), sa.JSON(), sa.LargeBinary()


def _table(name: str, keys: list[str], columns: Data, empty: tuple[str, ...] = ()) -> None:
    """Rows that belong to a tournament, numbered by `keys`; those columns may be empty."""
    made = [sa.Column(column, kind, nullable=column in empty) for column, kind in columns.items()]
    op.create_table(
        name,
        sa.Column("tournament", sa.String(length=40), nullable=False),
        *(sa.Column(key, NUMBER, nullable=False) for key in keys),
        *made,
        sa.ForeignKeyConstraint(["tournament"], ["tournaments.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("tournament", *keys),
    )


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("created", sa.String(length=32), nullable=False),
        sa.Column("spec", WORDS, nullable=False),
        sa.Column("settings", LIST, nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    bot = {"name": WORDS, "version": sa.String(length=16), "contestant": LIST, "source": BYTES, "steady": NUMBER}
    _table("entries", ["number"], bot, ("source", "steady"))
    fault = {"seat": NUMBER, "entry": NUMBER, "kind": sa.String(length=20), "text": WORDS}
    _table("faults", ["game", "move"], fault)
    planned = {**dict.fromkeys(("sitting", "rotation", "game", "deal"), NUMBER), "seats": LIST, "state": NUMBER}
    played = {"ended": sa.String(length=8), "length": NUMBER, "cards": NUMBER, "moves": BYTES, "output": LIST}
    _table("games", ["number"], planned | played, tuple(played))
    _table("matches", ["sitting", "rotation"], dict.fromkeys(("wins", "shares", "places", "forfeits"), LIST))
    counts = dict.fromkeys(("place", "score", "decisions"), NUMBER)
    result = {"entry": NUMBER, "share": sa.Float(), **counts, "cpu": sa.Float(), "most": sa.Float()}
    _table("results", ["game", "seat"], result)
    op.create_index("results_by_entry", "results", ["tournament", "entry"], unique=False)
    _table("sittings", ["number"], {"block": NUMBER, "bots": LIST, "state": NUMBER})
