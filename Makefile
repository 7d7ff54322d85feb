# `make demo` and `make test` do all set-up; the other targets are listed by `make help`.

.DEFAULT_GOAL := help
.PHONY: help demo test lint torture bench docs screenshot browser clients clean

PYTHON ?= python3
BIN := .venv/bin
NEED := tools/need
SETUP := pyproject.toml constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# What builds the package is pinned too; pip reads one or the other by its age.
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt

help:
	@echo "make demo [ARGS=…]  deal a virtual shoe through the daemon to a live display"
	@echo "make test           lint and the whole test suite but the long runs"
	@echo "make lint           ruff, mypy, import-linter"
	@echo "make torture        the long runs: kills, overflow, disk full, the fault matrix"
	@echo "make bench          measure against a bare loop; see docs/performance.md"
	@echo "make docs           docs/events.md, asyncapi.json, rules.md, shoes.md, faults.md from what they are about"
	@echo "make screenshot     docs/display.png from a live daemon"
	@echo "make clean          remove all that these targets made here"

demo: .venv/installed
	@$(BIN)/shoe-daemon demo $(ARGS)

test: lint browser clients
	$(BIN)/pytest -n 2 -m "not torture"

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

torture: .venv/installed-dev
	$(BIN)/pytest -m torture -s

bench: .venv/installed-dev
	$(BIN)/python -m bench $(ARGS)

docs: .venv/installed
	$(BIN)/python -m shoe_daemon.table.document > docs/events.md
	$(BIN)/python -m tools.asyncapi
	$(BIN)/python -m tools.rules_page
	$(BIN)/python -m tools.shoes_page
	$(BIN)/python -m tools.faults_page

screenshot: .venv/installed-dev browser
	$(BIN)/python -m tools.screenshot docs/display.png

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is older than 3.11: give a newer one, make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
		$(NEED) "python3 cannot make a virtual environment without it" python3-venv
	@echo "making .venv"
	@$(PYTHON) -m venv --clear .venv

.venv/installed: .venv/bin/python $(SETUP)
	@echo "installing into .venv what the daemon needs"
	@$(BIN)/pip install --quiet -e . -c constraints.txt
	@touch $@

.venv/installed-dev: .venv/bin/python $(SETUP)
	@echo "installing into .venv what the daemon and its tests need"
	@$(BIN)/pip install --quiet -e '.[dev]' -c constraints.txt
	@touch $@ .venv/installed

# Without them the tests of the display in a browser are skipped and say so.
browser:
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || \
		$(NEED) "the display is tested in a real browser" chromium chromium-driver || true

# Tests of what is missing here skip, and say so.
clients: .venv/installed
	@test -e /usr/include/zmq.h || $(NEED) "the client in C is compiled and run" libzmq3-dev || true
	@test -d .venv/node/node_modules/zeromq || ! command -v npm >/dev/null || \
		npm install --silent --no-fund --no-audit --prefix .venv/node zeromq@6.8.0 || true

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
