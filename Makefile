BIN ?= .venv/bin

.PHONY: site fmt lint type test docs docs-check docs-of-commands
fmt: ; $(BIN)/ruff format . && $(BIN)/ruff check --fix .
lint: ; $(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/lint-imports
type: ; $(BIN)/mypy
test: ; $(BIN)/pytest -n auto --dist loadfile
docs: ; $(BIN)/advisor rules docs --output docs/rules.md && $(BIN)/advisor schema --output docs/schema.json && $(BIN)/python -m tools.formulas && $(BIN)/python -m tools.validation && $(BIN)/python -m tools.picture && $(BIN)/python -m tools.manual
docs-check: docs-of-commands ; $(BIN)/python -m tools.validation --check
docs-of-commands: ; $(BIN)/advisor rules docs --check docs/rules.md && $(BIN)/advisor schema --check docs/schema.json && $(BIN)/python -m tools.manual --check
site: ; $(BIN)/python -m tools.site site
