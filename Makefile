# Two commands: `make book` reads, `make test` checks. `make help` lists the rest.
# The virtual environment .venv holds everything that is installed; `make clean` leaves it, `make distclean` does not.

PY := .venv/bin/python
# A sourced ROS workspace would put its own Pinocchio in front of ours.
unexport PYTHONPATH
export PYTHONNOUSERSITE := 1
PYTEST_ARGS ?=
LAB_ARGS ?=
# One process per core; a file stays in one, so that the cells of a notebook run in order.
PYTEST := $(PY) -m pytest -n auto --dist loadfile --nbval --nbval-current-env --nbval-sanitize-with scripts/nbval.cfg

.PHONY: help book html test test-all lab exercises edit notebooks lint bench slides vendor clean distclean

help:
	@echo 'make book       build the book, serve it on a free local port, print the address'
	@echo 'make html       build only (_build/html)'
	@echo 'make test       all tests: package, oracles, notebooks, the built pages in a browser'
	@echo 'make test-all   the same and the slow ones'
	@echo 'make lab        JupyterLab on your own copies of the chapters, in my-exercises/chapters/'
	@echo 'make exercises  the same, and the exercises, in my-exercises/; what is there already is never overwritten'
	@echo 'make edit       for authors: JupyterLab on the originals in book/'
	@echo 'make notebooks  run the notebooks again and store them in normal form'
	@echo 'make slides     the decks (_build/slides); needs npm'
	@echo 'make bench      timings against other libraries'
	@echo 'make lint       ruff, and the normal form of the notebooks'
	@echo 'make clean      drop _build; make distclean: .venv and the vendored JavaScript too'

.venv/.have-%: pyproject.toml scripts/venv.sh
	@sh scripts/venv.sh $*

book: html
	@$(PY) scripts/serve.py

html: .venv/.have-book
	@$(PY) scripts/book.py

test: .venv/.have-test
	@$(PY) scripts/book.py
	$(PYTEST) -m "not slow" $(PYTEST_ARGS)

test-all: .venv/.have-test
	@$(PY) scripts/book.py
	$(PYTEST) $(PYTEST_ARGS)

lab: .venv/.have-lab
	@$(PY) scripts/student.py --keep --chapters --out my-exercises
	$(PY) -m jupyterlab $(LAB_ARGS) my-exercises/chapters

exercises: .venv/.have-lab
	@$(PY) scripts/student.py --keep --chapters --out my-exercises
	$(PY) -m jupyterlab $(LAB_ARGS) my-exercises

edit: .venv/.have-lab
	$(PY) -m jupyterlab $(LAB_ARGS) book

notebooks: .venv/.have-book
	@$(PY) scripts/notebooks.py --execute

slides: .venv/.have-book
	@$(PY) scripts/vendor.py
	@$(PY) scripts/slides.py

vendor: .venv/.have-book
	@$(PY) scripts/vendor.py

bench: .venv/.have-bench
	$(PY) bench/run.py

lint: .venv/.have-lint
	$(PY) -m ruff check .
	@$(PY) scripts/notebooks.py --check

clean:
	rm -rf _build .pytest_cache .ruff_cache

distclean: clean
	rm -rf .venv book/_static/vendor *.egg-info
