"""Run by Alembic: brings the database of the connection it is given up to date."""

from alembic import context

from pitboss.tournament.store.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
