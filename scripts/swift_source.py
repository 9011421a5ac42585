# SPDX-License-Identifier: MIT
"""Reads Swift source as tokens, enough to check imports, doc comments and forbidden words without a compiler.

Comments and string literals become one token each, so that a word in them is never taken for code; nested comments,
raw and multi-line strings and interpolations are understood.
"""

import dataclasses
import pathlib
import re
import sys


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str  # word, symbol, string, comment, doc, directive, newline
    text: str
    line: int


WORD = re.compile(r"[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_\u0080-\U0010ffff]*")
QUOTED_WORD = re.compile(r"`[^`\n]+`")
NUMBER = re.compile(r"[0-9][0-9A-Za-z_.]*")
STRING_START = re.compile(r'(#*)("""|")')
DIRECTIVE = re.compile(r"#(if|elseif|else|endif)\b([^\n]*)")


def tokens(text):
    """All tokens of a source text, newlines included."""
    found = []
    position, line, length = 0, 1, len(text)
    while position < length:
        character = text[position]
        if character == "\n":
            found.append(Token("newline", "\n", line))
            line += 1
            position += 1
        elif character.isspace():
            position += 1
        elif text.startswith("//", position):
            end = text.find("\n", position)
            end = length if end < 0 else end
            comment = text[position:end]
            documents = comment.startswith("///") and not comment.startswith("////")
            found.append(Token("doc" if documents else "comment", comment, line))
            position = end
        elif text.startswith("/*", position):
            end = _end_of_comment(text, position)
            comment = text[position:end]
            documents = comment.startswith("/**") and not comment.startswith("/**/")
            found.append(Token("doc" if documents else "comment", comment, line))
            line += comment.count("\n")
            position = end
        elif match := STRING_START.match(text, position):
            end = _end_of_string(text, match)
            found.append(Token("string", text[position:end], line))
            line += text.count("\n", position, end)
            position = end
        elif match := DIRECTIVE.match(text, position):
            condition = re.sub(r"//.*|/\*.*?\*/", "", match.group(2)).strip()
            found.append(Token("directive", f"#{match.group(1)} {condition}".strip(), line))
            position = match.end()
        elif match := WORD.match(text, position) or QUOTED_WORD.match(text, position) or NUMBER.match(text, position):
            found.append(Token("word", match.group(), line))
            position = match.end()
        else:
            found.append(Token("symbol", character, line))
            position += 1
    return found


def _end_of_comment(text, start):
    depth, position = 0, start
    while position < len(text):
        if text.startswith("/*", position):
            depth += 1
            position += 2
        elif text.startswith("*/", position):
            depth -= 1
            position += 2
            if depth == 0:
                return position
        else:
            position += 1
    return len(text)


def _end_of_string(text, match):
    hashes, quote = match.group(1), match.group(2)
    close, escape = quote + hashes, "\\" + hashes
    position = match.end()
    while position < len(text):
        if text.startswith(close, position):
            return position + len(close)
        if text.startswith(escape + "(", position):
            position = _end_of_interpolation(text, position + len(escape))
        elif text.startswith(escape, position):
            position += len(escape) + 1
        elif text[position] == "\n" and quote == '"':
            return position  # not closed: the compiler will say so
        else:
            position += 1
    return len(text)


def _end_of_interpolation(text, start):
    depth, position = 0, start
    while position < len(text):
        if match := STRING_START.match(text, position):
            position = _end_of_string(text, match)
            continue
        if text.startswith("/*", position):
            position = _end_of_comment(text, position)
            continue
        if text[position] == "(":
            depth += 1
        elif text[position] == ")":
            depth -= 1
            if depth == 0:
                return position + 1
        position += 1
    return len(text)


@dataclasses.dataclass(frozen=True)
class Import:
    module: str  # the top-level module
    path: str  # as written, submodules and declaration included
    line: int
    conditions: tuple  # the #if conditions around it, outermost first; an #else is "!(condition)"


KINDS = {"struct", "class", "enum", "protocol", "typealias", "func", "let", "var"}


def imports(text):
    """Every import declaration, whatever its attributes, access level, kind, submodule and #if branch."""
    found, stack = [], []
    code = [token for token in tokens(text) if token.kind not in ("comment", "doc", "newline")]
    for index, token in enumerate(code):
        if token.kind == "directive":
            word, _, condition = token.text.partition(" ")
            if word == "#if":
                stack.append([condition])
            elif word in ("#elseif", "#else") and stack:
                stack[-1] = [f"!({stack[-1][-1]})"] if word == "#else" else [condition]
            elif word == "#endif" and stack:
                stack.pop()
            continue
        if token.text != "import" or token.kind != "word":
            continue
        before = code[index - 1].text if index else ""
        after = code[index + 1] if index + 1 < len(code) else None
        # `import` is a keyword: elsewhere it can only be a member name or an argument label.
        if before == "." or after is None or after.kind != "word":
            continue
        position = index + 1
        if after.text in KINDS and position + 1 < len(code) and code[position + 1].kind == "word":
            position += 1
        path = [code[position].text.strip("`")]
        while position + 2 < len(code) and code[position + 1].text == "." and code[position + 2].kind == "word":
            position += 2
            path.append(code[position].text.strip("`"))
        conditions = tuple(frame[0] for frame in stack)
        found.append(Import(path[0], ".".join(path), token.line, conditions))
    return found


def files(root, *folders):
    """The Swift files under some folders of the repository, in a fixed order."""
    for folder in folders:
        base = pathlib.Path(root) / folder
        if base.is_file():
            yield base
        elif base.is_dir():
            yield from sorted(path for path in base.rglob("*.swift") if ".build" not in path.parts)


def report(findings):
    """Prints findings as FILE:LINE: error: TEXT, which editors understand; returns the exit code."""
    for path, line, message in findings:
        print(f"{path}:{line}: error: {message}", file=sys.stderr)
    return 1 if findings else 0
