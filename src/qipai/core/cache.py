"""The folders of compiled code: where they are, and which ones are pruned (unused for a month).

Compiled code is loaded and run, so a folder that somebody else may write to is not used.
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import shutil
import stat
import tempfile
import time
from pathlib import Path

DAY = 86_400.0
UNUSED = 30 * DAY  # older folders are deleted
_NAME = re.compile(r"[0-9a-f]{24}(-[\w.-]+)?")  # `rule.source_digest`, optionally followed by a tag

LOG = logging.getLogger("qipai.cache")
_used: set[Path] = set()
_safe: dict[Path, Path] = {}  # the folder asked for: the one that is used


def cache_root() -> Path:
    """Return the folder of compiled code: QIPAI_CACHE_DIR, Numba's setting, or the per-user cache.

    A setting that is empty or blank counts as missing; it would mean the working directory.
    """
    own = os.environ.get("QIPAI_CACHE_DIR", "").strip()
    if own:
        return Path(own).absolute()
    numbas = os.environ.get("NUMBA_CACHE_DIR", "").strip()
    if numbas:
        return Path(numbas).absolute() / "qipai"
    home = os.environ.get("XDG_CACHE_HOME", "").strip()
    return Path(home or Path.home() / ".cache").absolute() / "qipai"


def safe_root() -> Path:
    """Return `cache_root()` if nobody else may write there; otherwise a folder of this process alone."""
    root = cache_root()
    if root not in _safe:
        fault = unsafe(root)
        if fault is None:
            _safe[root] = root
        else:
            LOG.warning("compiled code is not kept: %s %s", root, fault)
            _safe[root] = Path(tempfile.mkdtemp(prefix="qipai-"))
            atexit.register(shutil.rmtree, _safe[root], ignore_errors=True)
    return _safe[root]


def unsafe(root: Path) -> str | None:
    """Return why a folder must not be trusted with code, or None. A folder that is missing is made."""
    if os.name != "posix":
        return None
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = root.stat()
    except OSError:
        return None  # Numba reports a folder that cannot be made or read
    user = os.geteuid()
    if found.st_uid not in (user, 0):
        return "belongs to another user"
    if found.st_mode & stat.S_IWOTH:
        return "can be written by everyone"
    private = found.st_gid == found.st_uid  # a group of its own for each user, as many systems have it
    if found.st_mode & stat.S_IWGRP and not private:
        return "can be written by a group"
    return None


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
