# Every target works on a fresh clone with Python >= 3.11, a C compiler and make: it creates .venv,
# installs what it needs once, and rebuilds what has changed. Another interpreter: make PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find cext search proto -name '*.pyx' -o -name '*.pxd' -o -name '*.proto')
RUN_ARGS ?=
TEST_ARGS ?=
BENCH_ARGS ?=
LADDER_ARGS ?=
LOAD_ARGS ?=
SOAK_ARGS ?=
FUZZ_GAMES ?= 2000
TEST_ALL_GAMES ?= 40
# Forty games of Knaves Out with eight seats would take longer than all of the others.
TEST_ALL_SECONDS ?= 25
# Two for each core, as tests wait for servers, browsers, bots and clocks half of their time.
TEST_WORKERS ?= $(shell expr 2 \* $$(getconf _NPROCESSORS_ONLN))
# Without bytecode: Python compiles imported modules later, faster than pip compiles all of SciPy.
# It must then be kept, or every process would compile them again.
unexport PYTHONDONTWRITEBYTECODE
INSTALL = $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check
COMPILE = $(BIN)/python setup.py --quiet build_ext --inplace
READ := import tomllib; read = tomllib.load(open("pyproject.toml", "rb"))

.DEFAULT_GOAL := help
.PHONY: help run test test-all chaos check breaking bench ladder load soak fuzz node clients pictures contract wheel docs clean
.DELETE_ON_ERROR:

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.built  ## build and start the service (RUN_ARGS: flags of kingmaker serve)
	@$(BIN)/kingmaker serve --web 127.0.0.1:50080 --matches matches.sqlite $(RUN_ARGS)

test: $(VENV)/.built $(VENV)/.collected  ## build and run the tests on all cores (TEST_ARGS: flags of pytest)
	$(BIN)/python -m pytest -n $(TEST_WORKERS) --dist worksteal $(TEST_ARGS)

test-all: $(VENV)/.built $(VENV)/.collected  ## run the slow tests too, and more random games
	KINGMAKER_FUZZ_GAMES=$(TEST_ALL_GAMES) KINGMAKER_FUZZ_SECONDS=$(TEST_ALL_SECONDS) \
	    $(BIN)/python -m pytest -n $(TEST_WORKERS) --dist worksteal \
	    -m "slow or fuzz" --timeout 1200 $(TEST_ARGS)

# One after the other: they measure how long others wait.
chaos: $(VENV)/.built $(VENV)/.dev-tools  ## attack a server and break what it needs, as the open internet would
	$(BIN)/python -m pytest tests/chaos -m chaos $(TEST_ARGS)

check: $(VENV)/.built $(VENV)/.dev-tools breaking  ## formatting, lint and types of Python, Cython and the protos
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint cext search tests/foreign_game
	$(BIN)/buf lint

# What clients of a release rely on must not change.
breaking: $(VENV)/.built $(VENV)/.dev-tools  ## compare the protos with the contract of the last release
	$(BIN)/buf breaking --against "$$(ls clients/contract/*.binpb | sort -V | tail -n 1)"

bench: $(VENV)/.built $(VENV)/.bench-tools  ## measure speed and write bench.json (BENCH_ARGS: flags of kingmaker bench)
	$(BIN)/kingmaker bench --json bench.json $(BENCH_ARGS)

ladder: $(VENV)/.built $(VENV)/.ladder-tools  ## rate our own bots on every game and write docs/strength.md (LADDER_ARGS: flags)
	$(BIN)/python -m kingmaker.benchmarks.ladders --page docs/strength.md $(LADDER_ARGS)

load: $(VENV)/.built $(VENV)/.load-tools  ## load servers with users, too many calls, matches and watchers (LOAD_ARGS: flags)
	$(BIN)/python -m loadtests $(LOAD_ARGS)

soak: $(VENV)/.built  ## keep a server busy for 15 minutes and check that nothing grows (SOAK_ARGS: flags)
	$(BIN)/python -m loadtests.soak $(SOAK_ARGS)

fuzz: $(VENV)/.built $(VENV)/.dev-tools  ## play many random games in engine and reference model side by side
	KINGMAKER_FUZZ_GAMES=$(FUZZ_GAMES) $(BIN)/python -m pytest -m fuzz --timeout 0 \
	    -o faulthandler_timeout=0 $(TEST_ARGS)

NODE_PACKAGES := tests/clients/node examples/boardgame_io

node: $(NODE_PACKAGES:%=%/node_modules/.installed)  ## install the packages for the tests in Node

clients: $(VENV)/.built $(VENV)/.dev-tools clients/js/dist/node.js  ## build the clients for Python and npm, into dist/
	$(BIN)/python -m build --no-isolation --outdir dist clients/python >/dev/null
	cd clients/js && npm pack --silent --pack-destination ../../dist >/dev/null
	@ls dist

pictures: $(VENV)/.built $(VENV)/.dev-tools $(VENV)/.ladder-tools  ## make the pictures of the README anew, into docs/pictures/
	$(BIN)/python -m tests.pictures

wheel: $(VENV)/.built $(VENV)/.dev-tools  ## build a wheel for this platform and every Python from 3.11 on, into dist/
	$(BIN)/python -m build --wheel --no-isolation --outdir dist >/dev/null
	@ls -l dist/kingmaker-*.whl

docs: $(VENV)/.built $(VENV)/.docs-tools  ## build the documentation as a site, into build/docs/site
	$(BIN)/python -m docs.site.build

contract: $(VENV)/.dev-tools  ## store the contract of a release, for the tests of its clients
	$(BIN)/buf build --exclude-source-info \
	    -o clients/contract/$$($(BIN)/python -c '$(READ); print(read["project"]["version"])').binpb

clients/js/dist/node.js: $(wildcard clients/js/src/*.ts clients/js/examples/*.ts proto/kingmaker/v1/*.proto) \
    clients/details.proto clients/js/node_modules/.installed
	cd clients/js && PATH="$(CURDIR)/$(BIN):$$PATH" npm run --silent build && npm run --silent examples
	@touch $@

clients/js/node_modules/.installed: clients/js/package-lock.json
	cd clients/js && npm ci --no-audit --no-fund --silent
	@touch $@

$(NODE_PACKAGES:%=%/node_modules/.installed): %/node_modules/.installed: %/package-lock.json
	cd $* && npm ci --no-audit --no-fund --silent
	@touch $@

clean:  ## remove everything that was built or installed
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find cext search -name '*.c' -delete -o -name '*.so' -delete -o -name '*.html' -delete
	find proto -name '*_pb2*' -delete
	rm -rf clients/js/dist clients/js/src/gen clients/python/src/kingmaker_client/v1
	find clients/python -name '*_pb2*' -delete
	find . -name node_modules -prune -exec rm -rf {} +
	rm -rf notebooks/.ipynb_checkpoints
	find . -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "Kingmaker needs Python 3.11 or newer; try make PYTHON=python3.12" >&2; exit 1; }
	@echo "1/4 creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# The build tools live in .venv, so that what changed is rebuilt in seconds and without a network.
# While the modules are compiled the libraries are fetched; the editable install then finds the
# modules compiled.
$(VENV)/.installed: pyproject.toml | $(VENV)/.created
	@echo "2/4 installing the build tools"
	@$(BIN)/python -c '$(READ); print(*read["build-system"]["requires"], sep="\n")' > $@.txt
	@$(INSTALL) -r $@.txt
	@echo "3/4 installing the libraries and compiling, which takes a minute or two, once"
	@$(BIN)/python -c '$(READ); project = read["project"]; \
	    print(*project["dependencies"], *project["optional-dependencies"]["ladder"], sep="\n")' > $@.txt
	@$(INSTALL) -r $@.txt & libraries=$$!; $(COMPILE); compiled=$$?; \
	wait $$libraries && exit $$compiled
	@echo "4/4 installing kingmaker"
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.built: $(VENV)/.installed setup.py $(SOURCES)
	@$(COMPILE)
	@touch $@

# The first process that imports the tests compiles them, with all that they import: not each of the
# workers at once.
$(VENV)/.collected: | $(VENV)/.built $(VENV)/.dev-tools
	@echo "compiling the tests"
	@$(BIN)/python -m pytest --collect-only -qq > /dev/null
	@touch $@

# Only what an extra lists: installing `.[dev]` would look for changes to compile once more.
$(VENV)/.%-tools: pyproject.toml | $(VENV)/.installed
	@echo "installing the $* tools"
	@$(BIN)/python -c '$(READ); print(*read["project"]["optional-dependencies"]["$*"], sep="\n")' > $@.txt
	@$(INSTALL) -r $@.txt
	@touch $@
