"""The folders of compiled code: where they are, and which ones are pruned (unused for a month)."""

from __future__ import annotations

import os
import re
import shutil
import time
from pathlib import Path

DAY = 86_400.0
UNUSED = 30 * DAY  # older folders are deleted
_NAME = re.compile(r"[0-9a-f]{24}(-[\w.-]+)?")  # `rule.source_digest`, optionally followed by a tag

_used: set[Path] = set()


def cache_root() -> Path:
    """Return the folder of compiled code: QIPAI_CACHE_DIR, Numba's setting, or the per-user cache."""
    own = os.environ.get("QIPAI_CACHE_DIR")
    if own:
        return Path(own)
    numbas = os.environ.get("NUMBA_CACHE_DIR")
    if numbas:
        return Path(numbas) / "qipai"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "qipai"


def use(folder: Path) -> Path:
    """Mark `folder` as used today (at most once per process) and return it."""
    if folder not in _used:
        _used.add(folder)
        try:
            if time.time() - folder.stat().st_mtime > DAY:
                os.utime(folder)
        except OSError:
            pass  # missing, or not writable
    return folder


def prune() -> None:
    """Delete folders that were not used for a month. Every edit of a rule leaves one behind."""
    try:
        folders = [path for path in cache_root().iterdir() if _NAME.fullmatch(path.name)]
    except OSError:
        return
    now = time.time()
    for folder in folders:
        try:
            old = folder.is_dir() and not folder.is_symlink() and now - folder.stat().st_mtime > UNUSED
        except OSError:
            continue  # another process deleted it first
        if old:
            shutil.rmtree(folder, ignore_errors=True)
