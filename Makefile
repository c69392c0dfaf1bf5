# Every target makes what it needs in .venv; nothing is installed by hand.
PYTHON ?= python3
BIN := .venv/bin
MADE := .venv/.made

.PHONY: demo test test-fast lint bench references clean

$(MADE): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: $(MADE)  ## score the committed example: three systems x 14 tasks x 2 trials
	@rm -rf results/demo
	$(BIN)/reliability score examples/trials -o results/demo
	@echo "open results/demo/report.html in a browser"

test: $(MADE)  ## all tests (runs CAMB; some minutes)
	$(BIN)/pytest -n auto

test-fast: $(MADE)  ## the tests without CAMB runs
	$(BIN)/pytest -n auto -m 'not slow'

lint: $(MADE)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(MADE)  ## code read against code run; scoring, diagnosis, re-execution, posteriors and a large report: what they cost
	$(BIN)/python benchmarks/bench_params.py
	$(BIN)/python benchmarks/bench_scoring.py
	$(BIN)/python benchmarks/bench_diagnosis.py
	$(BIN)/python benchmarks/bench_reexecution.py
	$(BIN)/python benchmarks/bench_posteriors.py
	$(BIN)/python benchmarks/bench_report.py

references: $(MADE)  ## run all reference solutions and compare them with the committed ones
	$(BIN)/reliability references --check

clean:
	rm -rf .venv build dist
