"""The HTTP face: routes, security headers, rate limits, static files and sockets."""
