# make run: sets up everything and starts the companion. make test: sets up and runs all tests.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
APT := $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get

.PHONY: run test check fix translations docs bench train judge wheel install uninstall clean help

help:  ## what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/ -/'

run: $(VENV)/ready  ## set up and start the companion here; the first time on a simulated table
	@echo "== starting the companion (Ctrl-C stops it)"
	$(BIN)/companion run $(ARGS)

test: $(VENV)/ready-dev chromium  ## set up and run every test, those in a real browser included
	@echo "== running the tests"
	$(BIN)/pytest -n 2 --dist loadgroup $(ARGS)

check: $(VENV)/ready-dev  ## format, lint, types, import contracts, complexity, translations
	@echo "== format" && $(BIN)/ruff format --check .
	@echo "== lint" && $(BIN)/ruff check .
	@echo "== types" && $(BIN)/mypy
	@echo "== contracts" && $(BIN)/lint-imports
	@echo "== complexity" && $(BIN)/complexipy companion examples tools --max-complexity-allowed 15 --quiet
	@echo "== translations" && $(BIN)/python tools/translations.py --check

fix: $(VENV)/ready-dev  ## format and mend what can be mended
	$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

translations: $(VENV)/ready-dev  ## collect new sentences and compile the catalogues
	$(BIN)/python tools/translations.py

docs: $(VENV)/ready-docs  ## build the pages as a site in artefacts/site; a broken link is an error
	@echo "== building the site"
	$(BIN)/mkdocs build --strict

bench: $(VENV)/ready-dev  ## measure this machine
	$(BIN)/companion bench

train: $(VENV)/ready-train  ## make every model from nothing: takes some hours; resumes
	$(BIN)/python -m models.train $(ARGS)

judge: $(VENV)/ready-dev  ## measure the models on rendered tables they have never seen
	$(BIN)/python -m models.judge $(ARGS)

wheel: $(VENV)/ready-dev  ## build dist/*.whl
	$(BIN)/pip wheel --no-deps --wheel-dir dist .

$(VENV)/python:
	@echo "== making a virtual environment in $(VENV)"
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "== installing python3-venv" && $(APT) update -q && $(APT) install -qy python3-venv python3-pip; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or later is needed; $(PYTHON) is older. Try: make PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/ready: pyproject.toml | $(VENV)/python
	@echo "== installing the companion and what it needs"
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/ready-dev: pyproject.toml | $(VENV)/python
	@echo "== installing the companion with its tools for tests and checks"
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/ready

$(VENV)/ready-docs: pyproject.toml | $(VENV)/python
	@echo "== installing what the site of the pages needs"
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@ $(VENV)/ready

$(VENV)/ready-train: pyproject.toml | $(VENV)/python
	@echo "== installing what training needs (PyTorch is large)"
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,train]'
	@touch $@ $(VENV)/ready-dev $(VENV)/ready

.PHONY: chromium
chromium:
	@command -v chromium >/dev/null || { \
	  echo "== installing Chromium for the browser tests" && $(APT) update -q && \
	  $(APT) install -qy --no-install-recommends chromium; }

install:  ## install as a service on this machine: sudo make install [KIOSK=yes] [NAME=table]
	$(SUDO) env KIOSK='$(KIOSK)' NAME='$(NAME)' PYTHON='$(PYTHON)' tools/install.sh install

uninstall:  ## take the service away again; games and settings stay
	$(SUDO) tools/install.sh uninstall

clean:  ## remove the virtual environment and everything built
	rm -rf $(VENV) build dist artefacts .mypy_cache .ruff_cache .pytest_cache
