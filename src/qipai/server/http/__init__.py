"""The HTTP interface: routes, security headers, rate limits, static files and sockets."""
