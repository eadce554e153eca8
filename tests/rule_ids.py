"""Which rules tests are about. An id counts where something is asserted: in the name, the
parameters, the docstring or a comment of a function that asserts, and in any string that is
expected or handed to one. A heading above several tests or a module's docstring says nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

HELPERS = ("check", "refused")
"""Functions of the tests that assert: what their names begin with."""


def asserted(folder: Path) -> Iterator[str]:
    """The text of every function that asserts, and every string of the tests' code."""
    for path in sorted(folder.rglob("*.py")):
        if path.name != "test_rule_ids.py":
            text = path.read_text(encoding="utf-8")
            tree = ast.parse(text)
            yield from _tests(tree, text.splitlines())
            yield from _strings(tree)


def _tests(tree: ast.Module, lines: list[str]) -> Iterator[str]:
    """Each from its first decorator to its last line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(map(_asserts, ast.walk(node))):
            first = min((node.lineno, *(each.lineno for each in node.decorator_list)))
            yield "\n".join(lines[first - 1 : node.end_lineno])


def _asserts(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        return called == "pytest.raises" or called.startswith(HELPERS)
    return isinstance(node, ast.Assert)


def _strings(tree: ast.Module) -> Iterator[str]:
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value
