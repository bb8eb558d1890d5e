"""Reference games: small ones whose exact values are known, to check search and learning against.

They are found by name (`qipai.core.get("leduc_poker")`) but not listed, and not offered at tables.
"""
