"""The table on the web: lobby, tables, seats, sockets and their store. No rules."""
