"""Seals: checksums that tell whether rows are as they were written, and how many sittings are planned.

Rows that are there already have none; they are checked against each other instead.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("tournaments", sa.Column("planned", sa.Integer()))
    for table in ("tournaments", "entries", "sittings", "matches", "standings"):
        op.add_column(table, sa.Column("seal", sa.String(length=16)))
