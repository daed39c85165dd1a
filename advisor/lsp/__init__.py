"""`advisor lsp`: a language server for configurations. It asks `advisor.api` and nothing below."""
