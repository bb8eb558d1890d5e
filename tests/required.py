"""With QIPAI_LEARN=required, as `make learn` and `make toolbox` set it, a skipped test is a failed one.

Tests of learning skip themselves where PyTorch, Ray or another library is missing. In the environment that
exists to run them, a skip would hide that nothing was tested. Only what needs a GPU may be skipped.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import TypeVar

import pytest

VARIABLE = "QIPAI_LEARN"
ALLOWED = ("needs a GPU", "a GPU is here")  # reasons that remain: with a GPU, and without one

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def register(config: pytest.Config) -> None:
    """Let skips fail from here on, if the environment says so."""
    if os.environ.get(VARIABLE) == "required":
        config.pluginmanager.register(Required(), "required")


class Required:
    """Turns reports of skips into failures."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        return strict((yield))

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        return strict((yield))


def strict(report: Report) -> Report:
    """Return a report that failed if the test was skipped for a reason that is not allowed."""
    if report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not any(text in reason for text in ALLOWED):
            report.outcome = "failed"
            report.longrepr = f"{VARIABLE}=required, but it was skipped: {reason.removeprefix('Skipped: ')}"
    return report
