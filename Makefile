# make run: sets up everything and starts the companion. make test: sets up and runs all tests.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
APT := $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get

.PHONY: run test check fix translations docs gallery budgets lock sbom audit bench train judge wheel install uninstall clean help

help:  ## what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/ -/'

run: $(VENV)/ready  ## set up and start the companion here; the first time on a simulated table
	@echo "== starting the companion (Ctrl-C stops it)"
	$(BIN)/companion run $(ARGS)

test: $(VENV)/ready-dev chromium servers  ## set up and run every test, those in a real browser included
	@echo "== running the tests"
	$(BIN)/pytest -n 2 --dist loadgroup $(ARGS)

check: $(VENV)/ready-dev  ## format, lint, types, import contracts, complexity, translations
	@echo "== format" && $(BIN)/ruff format --check .
	@echo "== lint" && $(BIN)/ruff check .
	@echo "== types" && $(BIN)/mypy
	@echo "== contracts" && $(BIN)/lint-imports
	@echo "== complexity" && $(BIN)/complexipy companion examples tools --max-complexity-allowed 15 --failed --plain
	@echo "== translations" && $(BIN)/python tools/translations.py --check

fix: $(VENV)/ready-dev  ## format and mend what can be mended
	$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

translations: $(VENV)/ready-dev  ## collect new sentences and compile the catalogues
	$(BIN)/python tools/translations.py

docs: $(VENV)/ready-docs  ## build the pages as a site in artefacts/site; a broken link is an error
	@echo "== building the site"
	$(BIN)/mkdocs build --strict

gallery: $(VENV)/ready-dev chromium  ## take pictures of every screen into docs/pictures; ARGS=--film also makes the film
	$(BIN)/python -m tools.gallery $(ARGS)

lock: | $(VENV)/python  ## after a change of dependencies: choose versions anew and write down their hashes
	@$(BIN)/python -c 'import uv' 2>/dev/null || $(PIP) uv
	$(LOCK) --extra mqtt --extra hub --output-file requirements/run.txt
	$(LOCK) --extra dev --output-file requirements/dev.txt
	$(BIN)/uv pip compile requirements/pi.in --no-deps --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-annotate --no-emit-index-url --upgrade --output-file requirements/pi.txt

LOCK = $(BIN)/uv pip compile pyproject.toml requirements/build.in --quiet --universal --python-version 3.11 \
  --generate-hashes --no-header --no-annotate --no-emit-index-url --upgrade

sbom: $(VENV)/ready  ## what the companion is made of, as artefacts/sbom.json (CycloneDX)
	@mkdir -p artefacts && $(BIN)/python tools/supply.py sbom >artefacts/sbom.json && echo "artefacts/sbom.json"

audit: $(VENV)/ready  ## whether a known weakness is in one of the libraries
	$(BIN)/python tools/supply.py audit

budgets: $(VENV)/ready-dev chromium  ## measure the page against its budgets, in a real browser; ARGS=screens: only those rows
	$(BIN)/python -m tools.page_budgets $(ARGS)

bench: $(VENV)/ready-dev  ## measure this machine
	$(BIN)/companion bench

train: $(VENV)/ready-train npm  ## make every model from nothing: takes some hours; resumes
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

# Exactly the versions of the lock files, each known by its hash; the companion itself is built with them.
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
OURS := --no-deps --no-build-isolation --editable .

$(VENV)/ready: pyproject.toml requirements/run.txt | $(VENV)/python
	@echo "== installing the companion and what it needs"
	$(PIP) --require-hashes --requirement requirements/run.txt
	$(PIP) $(OURS)
	@touch $@

$(VENV)/ready-dev: pyproject.toml requirements/dev.txt | $(VENV)/python
	@echo "== installing the companion with its tools for tests and checks"
	$(PIP) --require-hashes --requirement requirements/dev.txt
	$(PIP) $(OURS)
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

.PHONY: servers
servers:
	@{ command -v mosquitto || test -x /usr/sbin/mosquitto; } >/dev/null && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
	  echo "== installing PostgreSQL and mosquitto for the tests of the hub and of MQTT" && $(APT) update -q && \
	  $(APT) install -qy --no-install-recommends postgresql mosquitto; }

.PHONY: npm
npm:
	@command -v npm >/dev/null || { \
	  echo "== installing npm, which fetches photographed rooms for the light" && $(APT) update -q && \
	  $(APT) install -qy --no-install-recommends npm; }

install:  ## install as a service on this machine: sudo make install [KIOSK=yes] [NAME=table]
	$(SUDO) env KIOSK='$(KIOSK)' NAME='$(NAME)' PYTHON='$(PYTHON)' tools/install.sh install

uninstall:  ## take the service away again; games and settings stay
	$(SUDO) tools/install.sh uninstall

clean:  ## remove the virtual environment and everything built
	rm -rf $(VENV) build dist artefacts .mypy_cache .ruff_cache .pytest_cache
