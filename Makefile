# One way to run everything, the same by hand and in CI. Needs Python 3.11+, make and the package registries.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: install demo test check soak schemas docs bench clean

install: .venv/.installed
	@$(BIN)/python -m failsame.clock >/dev/null || true # says so where trials will run in real time only

.venv/.installed: pyproject.toml requirements-dev.txt hatch_build.py
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements-dev.txt
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

demo: install ## the comment for fixtures/python-batch: botocore's change of November 2026
	$(BIN)/failsame demo

test: install ## lint, types, import rules, and every test
	$(MAKE) check
	$(BIN)/pytest -n 2 --dist loadgroup -m "not soak"
	$(BIN)/pytest -m soak

check: install ## lint, strict types, import rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

soak: install ## an unchanged lock file stays `same`, run after run, with every core kept busy
	SOAK_RUNS=$${SOAK_RUNS:-20} $(BIN)/pytest -m soak

schemas docs: install ## what is generated from the code
	$(BIN)/python -m failsame.report.schema
	$(BIN)/python -m failsame.config.schema
	$(BIN)/python -m failsame.suite.document

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist out
