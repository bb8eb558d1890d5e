"""The database: schema, the single writer, and the queries as plain functions."""
