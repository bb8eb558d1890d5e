"""The web server: lobby, tables, seats, sockets and their database. No rules."""
