# One way to run everything, the same by hand and in CI. Needs Python 3.11+, make and the package registries.
PYTHON ?= python3
BIN := .venv/bin
# The tests start hundreds of processes. Where an image sets this, each of them would compile all it imports.
unexport PYTHONDONTWRITEBYTECODE
# Each of them lets uv run every Python on the PATH, and pyenv's are scripts that run scripts, a second together. Where
# they are is looked up once, and this Python itself comes first.
export PATH := $(shell $(PYTHON) -c 'import os, sys; print(os.path.dirname(os.path.realpath(sys.executable)), \
	*(each for each in os.get_exec_path() if not each.endswith("pyenv/shims")), sep=":")')

.PHONY: install demo test check requirements image-test soak schemas docs bench clean

install: .venv/.installed
	@$(BIN)/python -m failsame.clock >/dev/null || true # says so where trials will run in real time only

.venv/.installed: pyproject.toml requirements-dev.txt hatch_build.py
	$(PYTHON) -m venv .venv
	sed -n '/^uv==/,/^[^u ]/{/^uv==/p;/^ /p}' requirements-dev.txt > .venv/uv.txt # uv is the quicker of the two
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r .venv/uv.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	touch $@

demo: install ## the comment for fixtures/python-batch: botocore's change of November 2026
	$(BIN)/failsame demo

test: install ## lint, types, import rules, and every test
	$(MAKE) --jobs 2 --output-sync=target check test-quiet
	$(MAKE) --jobs 3 --output-sync=target test-measuring test-soak test-others

# Three parts that take about as long, side by side. A room's tests share what they install and measure, so a room is not
# split between processes. The soak is first in its part, while the others keep every core busy.
MEASURING := tests/facts tests/clock tests/trial tests/environments tests/baseline tests/budgets
SOAK := tests/soak tests/chains tests/node tests/github
.PHONY: test-quiet test-measuring test-soak test-others
test-quiet:
	$(BIN)/pytest -m quiet tests/clock
test-measuring:
	$(BIN)/pytest -m "not quiet" $(MEASURING)
test-soak:
	$(BIN)/pytest $(SOAK)
test-others:
	$(BIN)/pytest $(filter-out $(MEASURING) $(SOAK) tests/image,$(wildcard tests/[a-z]*))

check: install ## lint, strict types, import rules, workflows
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/zizmor --quiet --offline --no-progress --config .github/zizmor.yml action.yml .github examples/workflows/*.yml

requirements: install ## lock again what pyproject.toml requires, for developers and for the image
	$(BIN)/uv pip compile -q --generate-hashes --python-version 3.11 --no-header --group dev pyproject.toml -o requirements-dev.txt
	$(BIN)/uv pip compile -q --generate-hashes --python-version 3.13 --no-header pyproject.toml -o requirements-image.txt

image-test: install ## build the image, and run it as GitHub does: with Docker, or as root with buildah and crun
	$(BIN)/pytest tests/image --image

soak: install ## an unchanged lock file stays `same`, run after run, with every core kept busy
	SOAK_RUNS=$${SOAK_RUNS:-50} $(BIN)/pytest tests/soak

schemas docs: install ## what is generated from the code
	$(BIN)/python -m failsame.report.schema > schemas/report.json
	$(BIN)/python -m failsame.config.schema > schemas/config.json
	$(BIN)/python -m failsame.config.reference > docs/configuration.md
	$(BIN)/python -m failsame.cli.document > docs/commands.md
	$(BIN)/python -m failsame.suite.document > docs/scenarios.md
	$(BIN)/python -m failsame.budgets.document > docs/budgets.md

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist out
