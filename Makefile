# Two commands: `make play` and `make test`. Both set up everything they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help play test check proof bench lint clean

help:
	@echo "make play    set up and sit down at a table in the terminal"
	@echo "make test    set up and run all tests"
	@echo "make check   the fast subset, under two minutes"
	@echo "make proof   the stated counts; figures into docs/proof/"
	@echo "make bench   measure the simulator"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "qipai needs Python 3.11 or newer; set PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "the venv module is missing (Debian: apt-get install python3-venv)"; exit 1; }

$(VENV)/.play: pyproject.toml | $(BIN)/python
	@echo "installing qipai (once)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[play]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@echo "installing qipai with its tests' tools (once)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.play

GAME ?= xianqi
play: $(VENV)/.play
	@$(BIN)/qipai play $(GAME) $(ARGS)

lint: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/mypy

test: lint
	@$(BIN)/pytest -n 2 --dist loadfile -q

check: lint
	@$(BIN)/pytest -n 2 --dist loadfile -q -m 'not slow'

proof: $(VENV)/.dev
	@$(BIN)/python -m tests.proof $(ONLY)

bench: $(VENV)/.dev
	@$(BIN)/qipai bench

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache
