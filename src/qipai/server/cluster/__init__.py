"""Several workers on one database: notifications, leases and presence."""
