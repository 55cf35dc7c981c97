"""Tables of results that are worked out once, and how often a tournament has changed since."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tournaments", sa.Column("revision", sa.Integer(), server_default="0", nullable=False))
    op.create_table(
        "standings",
        sa.Column("tournament", sa.String(length=40), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["tournament"], ["tournaments.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("tournament"),
    )
