"""The skeletons of a third-party game: what `qipai new` writes.

`game/` is a real game (it is linted, typed and tested here as it stands); `qipai new`
copies it under another name and adds the files around it from the `.tmpl` next to this one.
`small.py` is a game in one file, for `qipai new --small`.
"""
