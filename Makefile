# Two commands: `make play` and `make test`. Both set up everything they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LEARN ?= 1
LEARNENV := .venv-learn
TOOLENV := .venv-toolbox

.PHONY: help play table page tools lint format learn toolbox test check proof bench levels weights docs pages images clean

help:
	@echo "make play    set up and open the table in the browser"
	@echo "make table   set up and play a game in the terminal"
	@echo "make test    set up and run all tests; LEARN=0 leaves out those that need PyTorch"
	@echo "make check   the fast subset, under two minutes"
	@echo "make toolbox install the libraries of the field and test every adapter (2 GB)"
	@echo "make proof   the stated counts; figures into docs/proof/"
	@echo "make lint    check style, formatting and types; make format formats"
	@echo "make bench   measure the simulator"
	@echo "make levels  measure the six levels of every game again"
	@echo "make weights GAME=...   train the shipped net of a game again (a GPU, a few minutes)"
	@echo "make docs    build the documentation into build/site; make pages rewrites the generated pages"
	@echo "make images  photograph the tables again for docs/images"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "qipai needs Python 3.11 or newer; set PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "the venv module is missing (Debian: apt-get install python3-venv)"; exit 1; }

$(VENV)/.play: pyproject.toml | $(BIN)/python
	@echo "installing qipai (once)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[play,serve,page]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@echo "installing qipai with its tests' tools (once)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.play

$(VENV)/.docs: pyproject.toml | $(BIN)/python
	@echo "installing what builds the documentation (once)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

# Learning tests need PyTorch and Ray, and two adapters OpenSpiel and SB3: they have a separate environment.
$(LEARNENV)/.ready: pyproject.toml
	@echo "installing PyTorch and Ray for the learning tests (once): 0.5 GB to download for the CPU build, up to 3 GB"
	@echo "where only the CUDA build is on offer; one to ten minutes. 'make test LEARN=0' leaves these tests out."
	@$(PYTHON) -m venv $(LEARNENV)
	@$(LEARNENV)/bin/python -m pip install --quiet --disable-pip-version-check torch==2.13.0 triton pytest pytest-xdist \
		'open_spiel>=2.0,<2.1' dm-tree 'sb3-contrib>=2.9,<2.10' -e '.[data,train,plot,ray]'
	@touch $@

# On a GPU machine: what compiles the rules for the GPU. GPU=gpu12 for a driver that knows CUDA 12 only.
GPU ?= gpu
$(LEARNENV)/.gpu: $(LEARNENV)/.ready
	@echo "installing the compiler for the GPU (once): up to 0.2 GB to download"
	@$(LEARNENV)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[$(GPU)]'
	@touch $@

# Every library that has an adapter; some of them pin versions that others here do not want.
$(TOOLENV)/.ready: pyproject.toml
	@echo "installing the toolbox (once): about 100 packages, 1 GB to download"
	@$(PYTHON) -m venv $(TOOLENV)
	@$(TOOLENV)/bin/python -m pip install --quiet --disable-pip-version-check torch==2.13.0 pytest pytest-xdist -e '.[toolbox]'
	@touch $@

# The page is made once, and again when its sources change.
play: $(VENV)/.play
	@$(BIN)/python front/site_build.py
	@$(BIN)/qipai serve $(ARGS)

GAME ?= xianqi
table: $(VENV)/.play
	@$(BIN)/qipai play $(GAME) $(ARGS)

page: $(VENV)/.dev
	@$(BIN)/python front/site_build.py

# A browser, PostgreSQL and proxies for the tests, where they may be installed; tests that need them say why they skip.
tools:
	@sh tests/tools.sh

lint: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "not formatted: make format"; exit 1; }
	@$(BIN)/mypy
	@$(BIN)/python front/site_build.py --check --lint

format: $(VENV)/.dev
	@$(BIN)/ruff format .
	@$(BIN)/python front/site_build.py --format

# Two processes, each file in one of them, in the order of tests/conftest.py: long files first.
TWO := -n 2 --dist loadfile --no-loadscope-reorder --max-worker-restart=0

# QIPAI_LEARN=required: a test that is skipped there has failed, unless it needs a GPU (tests/required.py).
# Tests that do nothing elsewhere, and others of which a part needs PyTorch.
LEARNING_ONLY := tests/learn tests/cluster/test_crew.py tests/cluster/test_remote.py tests/data/test_cluster.py \
	tests/envs/test_openspiel.py tests/envs/test_sb3.py
LEARNING := $(LEARNING_ONLY) tests/commands/test_train.py tests/commands/test_exploit.py \
	tests/examples/test_ppo_xianqi.py tests/examples/test_learning_curve.py tests/sim/cuda/test_dlpack.py
ifeq ($(LEARN),1)
learn: $(LEARNENV)/.ready
	@QIPAI_LEARN=required $(LEARNENV)/bin/python -m pytest $(TWO) -q $(LEARNING)
else
learn:
	@true
endif

# Adapters whose libraries only the toolbox has.
TOOLBOX_ONLY := tests/envs/test_jax.py tests/envs/test_rllib.py tests/envs/test_tianshou.py tests/envs/test_torchrl.py \
	tests/envs/test_torchrl_gym.py tests/envs/test_torchrl_pettingzoo.py tests/docs/test_toolbox.py
TOOLBOX := $(TOOLBOX_ONLY) tests/envs/test_gymnasium.py tests/envs/test_openspiel.py tests/envs/test_pettingzoo.py \
	tests/envs/test_sb3.py tests/data
toolbox: $(TOOLENV)/.ready
	@QIPAI_LEARN=required $(TOOLENV)/bin/python -m pytest -q $(TOOLBOX)
	@$(TOOLENV)/bin/python -m tests.proof ecosystem/

test: lint page tools learn
	@$(BIN)/python front/site_build.py --coverage
	@$(BIN)/pytest $(TWO) -q --cov --cov-report= --durations=30 $(addprefix --ignore=,$(LEARNING_ONLY) $(TOOLBOX_ONLY))
	@echo "line coverage of src/qipai without compiled code: $$($(BIN)/coverage report --format=total) %"
	@[ "$(LEARN)" = 1 ] || echo "LEARN=$(LEARN): the tests that need PyTorch were left out"

check: lint page tools
	@$(BIN)/python front/site_build.py --test
	@$(BIN)/pytest $(TWO) -q -m 'not slow' $(addprefix --ignore=,$(LEARNING_ONLY) $(TOOLBOX_ONLY))

proof: $(VENV)/.dev page tools $(LEARNENV)/.ready $(TOOLENV)/.ready
	@$(BIN)/python -m tests.proof $(ONLY)

bench: $(VENV)/.dev
	@$(BIN)/qipai bench

# The six levels of every game, measured again on a ladder; writes docs/levels.md. GAME=... only prints one.
levels: $(VENV)/.dev
	@$(BIN)/python benchmarks/levels.py $(or $(GAME),--write)

# The weights that a game ships, made again by the commands that their header records.
weights: $(LEARNENV)/.gpu
	@$(LEARNENV)/bin/qipai export $(GAME) --recipe > $(LEARNENV)/weights.sh
	@PATH="$(abspath $(LEARNENV)/bin):$$PATH" sh -ex $(LEARNENV)/weights.sh

# The site; once installed it is built without network, and every warning is an error.
docs: $(VENV)/.docs
	@$(BIN)/python docs/sitemaker

# Pages that are written from the code: flags, errors, messages, layouts, players' pages.
pages: $(VENV)/.dev
	@$(BIN)/python docs/sitemaker pages

images: $(VENV)/.dev page tools
	@$(BIN)/python -m tests.front.images

clean:
	rm -rf build .coverage $(VENV) $(LEARNENV) $(TOOLENV) .mypy_cache .pytest_cache .ruff_cache front/node_modules src/qipai/server/site
