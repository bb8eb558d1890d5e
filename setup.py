"""Metadata that is known only when the package is built; everything else is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup

sys.path.insert(0, str(Path(__file__).resolve().parent / "front"))

from qipai_build import metadata

setup(**metadata())
