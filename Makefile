PROFILE = smoke
STUDY   = all
JOBS    = 2
# The first Python that will do. 3.11 comes first: the committed results were made with it.
PYTHON  = $(firstword $(foreach p,python3.11 python3.12 python3.13 python3 python,$(shell $(p) -c '$(SUITS)' 2>/dev/null && echo $(p))))
SUITS   = import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
CHECK   = '$(PYTHON)' -c '$(SUITS)' 2>/dev/null || { echo >&2 "PYTHON='$(PYTHON)' will not do: mctslab needs\
 Python 3.11 or newer with venv and ensurepip (Debian, Ubuntu: apt install python3-venv)"; exit 1; }
VENV    = .venv/.installed

.PHONY: help study figures lab test lint bench python clean

help:
	@sed -n 's/^\([a-z]*\):.*## /make \1	/p' Makefile

study: $(VENV)   ## play every experiment, small (STUDY=name for one, PROFILE=laptop for the committed size)
	.venv/bin/mctslab run $(if $(filter all,$(STUDY)),--all,$(STUDY)) --profile $(PROFILE)

figures: $(VENV) ## redraw the committed results from the committed rows
	.venv/bin/mctslab run --all --profile laptop --redraw

lab: $(VENV)     ## open the notebooks in JupyterLab
	.venv/bin/jupyter lab notebooks

test: $(VENV)    ## run the tests (JOBS=4 for more at once)
	.venv/bin/python -m pytest -q -n $(JOBS) --dist loadfile

lint: $(VENV)    ## check the style of the sources
	.venv/bin/ruff check

bench: $(VENV)   ## measure speeds on this machine
	.venv/bin/python benchmarks/run.py

python:          ## name the Python that .venv is made with (PYTHON=/path/to/python3 for another)
	@$(CHECK)
	@echo $(PYTHON)

clean:           ## remove what was made here: .venv, build/, smoke rows, caches
	rm -rf .venv build data/smoke .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp comes last, so an installation that broke off is made anew; so is one older than the lock.
$(VENV): requirements.lock pyproject.toml
	@$(CHECK)
	$(PYTHON) -m venv --clear .venv
	.venv/bin/python -m pip install -q -r requirements.lock
	.venv/bin/python -m pip install -q --no-deps -e .
	@touch $@
