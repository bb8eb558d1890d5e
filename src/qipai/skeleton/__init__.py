"""The skeleton of a third-party game: what `qipai new` writes.

`game/` is a real game (it is linted, typed and tested here as it stands); `qipai new`
copies it under another name and adds the files around it from the `.tmpl` beside this one.
"""
