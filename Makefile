# make demo   everything on this machine: see README.md
# make build  what a deployment needs: packages, browser bundle, texts
# make test   set-up and all tests (ARGS="tests/acciones -k stale" for a part)
# make lint   style, types, imports, lengths
# make bench NAME=ledger   make faults   measurements and the fault matrix
# make conformance   MCP's official scenarios, against the demo's bank

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
SERVICES := $(RUN) -m maya.lib.services --var
PIP := $(RUN) -m pip install -qq --disable-pip-version-check -c constraints.txt
RUNTIME := $(VENV)/.runtime
DEVELOPMENT := $(VENV)/.development
MODULES := web/node_modules/.installed
BUNDLE := web/dist/.built
WEB := $(shell find web/src web/build -type f 2>/dev/null) $(wildcard web/*.mjs web/*.json)

CATALOGUE := locale/en/LC_MESSAGES/django.mo

say = @echo "· $(if $(filter es%,$(LANG)),$(1),$(2))"

.PHONY: demo build test lint bench faults conformance browser
.DELETE_ON_ERROR:

demo: $(RUNTIME) $(BUNDLE) $(CATALOGUE)
	@$(RUN) manage.py demo

build: $(RUNTIME) $(BUNDLE) $(CATALOGUE)

test: $(DEVELOPMENT) $(BUNDLE) $(CATALOGUE) browser
	@.ci/npm --prefix web test --silent
	@$(SERVICES) var/test -- $(RUN) -m pytest $(ARGS)

lint: $(DEVELOPMENT) $(MODULES)
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy
	$(VENV)/bin/lint-imports
	$(RUN) .ci/lengths.py
	.ci/npm --prefix web run --silent typecheck

bench: $(DEVELOPMENT) $(BUNDLE)
	@test -n "$(NAME)" || { echo "Which one? make bench NAME=ledger"; exit 1; }
	@$(SERVICES) var/bench -- $(RUN) -m bench.$(NAME)

faults: $(DEVELOPMENT)
	@$(SERVICES) var/faults -- $(RUN) -m tests.faults

conformance: $(DEVELOPMENT)
	@$(SERVICES) var/services-conformance -- $(RUN) -m tests.conformance

# Set-up: each step leaves a stamp, so a second run has nothing to do

$(RUN):
	@$(PYTHON) .ci/preflight.py
	$(call say,Entorno virtual,Virtual environment)
	@$(PYTHON) -m venv --clear $(VENV)

$(RUNTIME): requirements.txt constraints.txt | $(RUN)
	@$(RUN) .ci/preflight.py
	$(call say,Paquetes,Packages)
	@$(PIP) -r requirements.txt
	@touch $@

$(DEVELOPMENT): requirements.txt requirements-dev.txt constraints.txt | $(RUN)
	@$(RUN) .ci/preflight.py
	$(call say,Paquetes,Packages)
	@$(PIP) -r requirements-dev.txt
	@touch $(RUNTIME) $@

$(MODULES): web/package-lock.json | $(RUN)
	$(call say,Paquetes del navegador,Browser packages)
	@.ci/npm --prefix web ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

$(BUNDLE): $(MODULES) $(WEB)
	$(call say,Paquete para el navegador,Browser bundle)
	@.ci/npm --prefix web run --silent build
	@touch $@

# Texts are Spanish in the source; polib needs no gettext on the machine
$(CATALOGUE): $(CATALOGUE:.mo=.po) | $(RUNTIME)
	@$(RUN) -c "import polib; polib.pofile('$<').save_as_mofile('$@')"

browser:
	@.ci/browser
