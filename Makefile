# Everything runs in .venv, which is made on first use from nothing but Python 3.11+ and make.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --max-worker-restart 0 -rs
TABLE := flip7:numbers --bots stay-20,stay-23,stay-26,stay-30
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt

.PHONY: help serve page run quick test test-all check mutants bench docs build clean
.DEFAULT_GOAL := help

help: ## list these commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /|/' | awk -F'|' '{printf "  make %-9s %s\n", $$1, $$2}'

serve: $(VENV)/web ## the card room in a browser
	$(BIN)/pitboss serve --open

page: $(VENV)/page ## the page without a server, into page/: open page/index.html
	$(BIN)/pitboss page build

run: $(VENV)/core ## a tournament of built-in bots, ending in a table, a report and a replay to open
	$(BIN)/pitboss tournament run flip7:tournament --bots random,conservative,stay-20,stay-25,bust-0.25,ev --best-of 5 --blocks 100 --report report

quick: $(VENV)/core ## 100 games of four bots at flip7:numbers
	$(BIN)/pitboss simulate $(TABLE) --games 100 --seed 1

test: $(VENV)/dev ## the tests, without those that need extras
	$(BIN)/python tools/prebuild.py
	$(PYTEST)
	@$(BIN)/python -c "import resvg_py" 2>/dev/null || echo "Left out: charts in PNG; 'make test-all' installs resvg-py."
	@$(BIN)/python -c "import numba_cuda" 2>/dev/null || echo "Left out: the kernels for GPUs, in a simulator; 'make test-all' installs numba-cuda."
	@$(BIN)/python -c "import gymnasium, pettingzoo, PIL" 2>/dev/null || echo "Left out: the environments of Gymnasium and PettingZoo; 'make test-all' installs these."
	@$(BIN)/python -c "import pyspiel" 2>/dev/null || echo "Left out: the games in OpenSpiel and the comparison with it; 'make test-all' installs it."
	@$(BIN)/python -c "import playwright" 2>/dev/null && command -v chromium >/dev/null || echo "Left out: pages in a browser; 'make test-all' installs Playwright, and they need the system's package chromium."
	@$(BIN)/python -c "import psycopg" 2>/dev/null && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || echo "Left out: tournaments in PostgreSQL; 'make test-all' installs psycopg, and they need the system's package postgresql."
	@$(BIN)/python -c "import pyarrow" 2>/dev/null || echo "Left out: games in Parquet files; 'make test-all' installs PyArrow."
	@$(BIN)/python -c "import pandas" 2>/dev/null || echo "Left out: results as data frames; 'make test-all' installs pandas."
	@$(BIN)/python -c "import ray" 2>/dev/null || echo "Left out: games on a cluster; 'make test-all' installs Ray."
	@$(BIN)/python -c "import schemathesis" 2>/dev/null || echo "Left out: nonsense sent to the web interface; 'make test-all' installs Schemathesis."
	@$(BIN)/python -c "import ziglang" 2>/dev/null && command -v node >/dev/null || echo "Left out: games as WebAssembly; 'make test-all' installs ziglang, and they need the system's package nodejs."
	@command -v node >/dev/null || echo "Left out: the example bot in JavaScript; it needs the system's package nodejs."

test-all: $(VENV)/all ## the tests, with all extras
	$(BIN)/python tools/prebuild.py
	$(PYTEST)
	@$(BIN)/python -c "import stable_baselines3" 2>/dev/null || echo "Left out: the environments in Stable-Baselines3, which brings PyTorch; '$(BIN)/pip install .[sb3]' installs it."

check: $(VENV)/dev ## style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

mutants: $(VENV)/dev ## break the rules on purpose; the conformance tests must notice
	$(BIN)/python tests/mutants.py

bench: $(VENV)/rl $(VENV)/web ## measure, and write the table of BENCHMARKS.md
	$(BIN)/python benchmarks/run.py

docs: $(VENV)/docs ## the documentation site with the page in it, into site/; every link is checked
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "Look at it:  $(BIN)/python -m http.server --bind 127.0.0.1 --directory site 8008"

build: $(VENV)/dev ## wheel and sdist, into dist/
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

clean: ## remove .venv and everything made
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .cache site page report pitboss.db pitboss.db-shm pitboss.db-wal
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/made:
	@test -n "$(PYTHON)" || { echo "pitboss needs Python 3.11 or newer; install it, or say where it is: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Making .venv with $(PYTHON) ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/core: $(VENV)/made pyproject.toml constraints.txt
	@echo "Installing pitboss ..."
	@$(PIP) install --editable .
	@touch $@

$(VENV)/docs: $(VENV)/core
	@echo "Installing what the documentation site needs ..."
	@$(PIP) install --editable '.[docs,page]'
	@touch $@

$(VENV)/rl: $(VENV)/core
	@echo "Installing what environments need ..."
	@$(PIP) install --editable '.[rl]'
	@touch $@

$(VENV)/web: $(VENV)/core
	@echo "Installing what the pages need ..."
	@$(PIP) install --editable '.[web]'
	@touch $@

$(VENV)/page: $(VENV)/core
	@echo "Installing the linker that the page needs ..."
	@$(PIP) install --editable '.[page]'
	@touch $@

$(VENV)/all: $(VENV)/dev
	@echo "Installing the extras ..."
	@$(PIP) install --editable '.[dev,all]'
	@touch $@

$(VENV)/dev: $(VENV)/core
	@echo "Installing what the tests need ..."
	@$(PIP) install --editable '.[dev]'
	@touch $@
