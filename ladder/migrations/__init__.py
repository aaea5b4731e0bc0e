"""Schema of the ladder's database, as Alembic migrations; `store` runs those that are missing.

To change the schema, change `records` and add the next file to `versions/`; its `revision` is the
number after the last. A migration that was released is never edited. The tests hold that the
migrations together make exactly the tables of `records`, on SQLite and on PostgreSQL.
"""
