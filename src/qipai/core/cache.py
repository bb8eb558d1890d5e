"""The folders of compiled code: where they lie, and which of them go: what nobody has used for a month."""

from __future__ import annotations

import os
import re
import shutil
import time
from pathlib import Path

DAY = 86_400.0
UNUSED = 30 * DAY  # after which a folder goes
_NAME = re.compile(r"[0-9a-f]{24}(-[\w.-]+)?")  # `rule.source_digest`, and a tag

_used: set[Path] = set()


def cache_root() -> Path:
    """The folder of compiled code: QIPAI_CACHE_DIR, Numba's own setting, or the user's cache."""
    own = os.environ.get("QIPAI_CACHE_DIR")
    if own:
        return Path(own)
    numbas = os.environ.get("NUMBA_CACHE_DIR")
    if numbas:
        return Path(numbas) / "qipai"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "qipai"


def use(folder: Path) -> Path:
    """`folder`, noted as used today (at most once a process)."""
    if folder not in _used:
        _used.add(folder)
        try:
            if time.time() - folder.stat().st_mtime > DAY:
                os.utime(folder)
        except OSError:
            pass  # not there yet, or not ours to write
    return folder


def prune() -> None:
    """Take away what nobody has used for a month. An edit of a rule leaves a folder behind each time."""
    try:
        folders = [path for path in cache_root().iterdir() if _NAME.fullmatch(path.name)]
    except OSError:
        return
    now = time.time()
    for folder in folders:
        try:
            old = folder.is_dir() and not folder.is_symlink() and now - folder.stat().st_mtime > UNUSED
        except OSError:
            continue  # another process was faster
        if old:
            shutil.rmtree(folder, ignore_errors=True)
