"""Documents from text: block collections by indentation, the rest by characters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from . import _scalars
from ._errors import MarkedYAMLError

if TYPE_CHECKING:
    from typing import Any


_KEY_END = re.compile(r":(?=\s|$)")
_FLOW_STOPS = ",[]{}"


class Document:
    """A place in a text; `next` reads one document."""

    def __init__(self, text: str, loader: Any) -> None:
        self.text, self.at, self.loader = text.replace("\r\n", "\n").replace("\r", "\n"), 0, loader
        self.resolvers = getattr(loader, "yaml_resolvers", ())
        self.anchors = {}
        self._first = True

    def next(self) -> tuple | tuple[bool, None]:
        """(whether there was a document, its value)."""
        started = self._directives()
        if self._is_over() and not started:
            return False, None
        self.anchors, self._first = {}, False
        value = None if self._ends() else self.block(-1)
        self._gap()
        if not self._ends():
            raise self.error("could not find expected ':'" if self._line().strip() else "expected a document's end")
        return True, value

    def _directives(self):
        """Skips `%YAML` lines, `---` and `...`; whether a document was announced."""
        started = False
        while True:
            self._gap()
            line = self._line()
            if self._column() == 0 and (line.startswith(("%", "...")) or re.match(r"---(\s|$)", line)):
                if line.startswith("---"):
                    if started:
                        return True
                    started = True
                    self.at += 3
                else:
                    self.at += len(line)
                continue
            return started

    def _is_over(self):
        return self.at >= len(self.text)

    def _ends(self):
        return self._is_over() or (self._column() == 0 and re.match(r"(---|\.\.\.)(\s|$)", self._line()) is not None)

    # --- places

    def error(self, problem: Any) -> Any:
        return MarkedYAMLError(problem, self.text.count("\n", 0, self.at) + 1)

    def _line(self):
        end = self.text.find("\n", self.at)
        return self.text[self.at : len(self.text) if end < 0 else end]

    def _column(self):
        return self.at - (self.text.rfind("\n", 0, self.at) + 1)

    def _gap(self):
        """Skips blanks, line breaks and comments; whether a line break was among them."""
        start = self.at
        text, n = self.text, len(self.text)
        while self.at < n:
            c = text[self.at]
            if c in " \t\n":
                self.at += 1
            elif c == "#" and (self.at == 0 or text[self.at - 1] in " \t\n"):
                end = text.find("\n", self.at)
                self.at = n if end < 0 else end
            else:
                break
        return "\n" in text[start : self.at]

    # --- blocks

    def block(self, parent: Any, in_sequence_of: Any = None) -> Any:
        """A node that is indented further than `parent`."""
        broke = self._gap()
        if self._ends() or (self._column() <= parent and (broke or self.at == 0)):
            return None
        tag = anchor = None
        while self.text[self.at] in "&!":
            word = re.match(r"\S+", self._line())[0]
            if word[0] == "&":
                anchor = word[1:]
            else:
                tag = word
            self.at += len(word)
            if self._gap() and (self._ends() or self._column() <= parent and not self._is_item()):
                return self._finished(None, tag, anchor)
            if self._is_over():
                return self._finished(None, tag, anchor)
        return self._finished(self._content(parent), tag, anchor)

    def _finished(self, value, tag, anchor):
        if tag is not None and tag != "!":
            value = _scalars.tagged(tag, value, self.loader)
        if anchor is not None:
            self.anchors[anchor] = value
        return value

    def _is_item(self):
        return re.match(r"-(\s|$)", self._line()) is not None

    def _content(self, parent):
        column = self._column()
        if self._is_item():
            return self._sequence(column)
        if self.text[self.at] in "|>":
            return self._literal(parent)
        if re.match(r"\?(\s|$)", self._line()) or self._key_ahead():
            return self._mapping(column)
        return self._inline(parent)

    def _sequence(self, column):
        items = []
        while not self._ends() and self._column() == column and self._is_item():
            self.at += 1
            items.append(self.block(column))
            self._gap()
        self._check(column)
        return items

    def _mapping(self, column):
        made, merged = {}, []
        while not self._ends() and self._column() == column and not self._is_item():
            if re.match(r"\?(\s|$)", self._line()):
                self.at += 1
                key = self.block(column)
                self._gap()
                if self.text[self.at : self.at + 1] == ":":
                    self.at += 1
            elif self._key_ahead():
                key = self._key()
            else:
                raise self.error("could not find expected ':'")
            value = self._value(column)
            if key == "<<":
                merged += value if isinstance(value, list) else [value]
            else:
                made[tuple(key) if isinstance(key, list) else key] = value
            self._gap()
        self._check(column)
        for other in merged:
            made = {**other, **made}
        return made

    def _check(self, column):
        if not self._ends() and self._column() > column:
            raise self.error("mapping values are not allowed here" if self._key_ahead() else "expected <block end>")

    def _value(self, column):
        """What stands behind a key; a sequence may stand at the key's own column."""
        place = self.at
        if self._gap() and not self._ends() and self._column() == column and self._is_item():
            return self._sequence(column)
        self.at = place
        return self.block(column)

    def _key_ahead(self):
        """Whether the line goes on with a key and its colon."""
        line = self._line()
        line = re.sub(r"^(?:[&!]\S+\s+)+", "", line)
        if line[:1] in ("'", '"'):
            end = _quote_end(line)
            return end is not None and re.match(r"\s*:(\s|$)", line[end:]) is not None
        if line[:1] in ("[", "{"):
            return False
        found = _KEY_END.search(line)
        comment = re.search(r"\s#", line)
        return found is not None and (comment is None or found.start() < comment.start())

    def _key(self):
        line = self._line()
        if line[0] in "'\"":
            key = self._quoted()
            self._gap()
        else:
            end = _KEY_END.search(line).start()
            word = line[:end].rstrip()
            self.at += end
            key = (
                self.anchors[word[1:]]
                if word[0] == "*"
                else "<<"
                if word == "<<"
                else _scalars.resolve(word, self.resolvers)
            )
        self.at += 1
        return key

    # --- what is no block collection

    def _inline(self, parent):
        c = self.text[self.at]
        if c in "[{":
            return self._flow()
        if c in "'\"":
            return self._quoted()
        if c == "*":
            return self._alias()
        return self._plain(parent)

    def _alias(self):
        name = re.match(r"\*([^\s,\[\]{}]+)", self._line())[1]
        if name not in self.anchors:
            raise self.error(f"found undefined alias '{name}'")
        self.at += 1 + len(name)
        return self.anchors[name]

    def _quoted(self):
        end = _quote_end(self.text, self.at)
        if end is None:
            raise self.error("found unexpected end of stream")
        quote, inner = self.text[self.at], self.text[self.at + 1 : end - 1]
        self.at = end
        return _scalars.double_quoted(inner) if quote == '"' else _scalars.fold(inner.replace("''", "'"))

    def _plain(self, parent):
        """A word, or several lines of words that are indented further than what they belong to."""
        if self.text[self.at] in "%@`":
            raise self.error(f"found character {self.text[self.at]!r} that cannot start any token")
        lines = []
        while True:
            whole = self._line()
            line = re.split(r"\s#", whole)[0]
            if lines and _KEY_END.search(line):
                raise self.error("mapping values are not allowed here")
            lines.append(line.strip())
            self.at += len(line.rstrip())
            place, comment = self.at, line != whole
            self._blank()
            if comment or self._ends() or self._column() <= parent or self.text[self.at] == "#":
                self.at = place
                break
            breaks = self.text.count("\n", place, self.at)
            lines += [""] * (breaks - 1)
        if len(lines) == 1:
            return _scalars.resolve(lines[0], self.resolvers)
        return _scalars.fold("\n".join(lines))

    def _blank(self):
        while self.at < len(self.text) and self.text[self.at] in " \t\n":
            self.at += 1

    def _literal(self, parent):
        """`|` keeps line breaks, `>` folds them; `-` drops the last ones, `+` keeps them all."""
        head = re.match(r"([|>])([-+]?)(\d?)([-+]?)[ \t]*(#.*)?", self._line())
        style, keep, explicit = head[1], head[2] or head[4], head[3]
        self.at += len(self._line()) + 1
        indent = max(parent, 0) + int(explicit) if explicit else None
        lines = []
        while self.at <= len(self.text) and not self._is_over():
            line = self._line()
            if line.strip():
                own = len(line) - len(line.lstrip(" "))
                indent = own if indent is None else indent
                if own < indent or own <= parent:
                    break
            lines.append(line[indent or 0 :] if line.strip() or len(line) > (indent or 0) else "")
            self.at += len(line) + 1
        self.at = min(self.at, len(self.text))
        body = "\n".join(lines).rstrip("\n")
        tail = "\n" * (len(lines) - body.count("\n") - 1) if body else "\n" * len(lines)
        if style == ">":
            body = re.sub(r"(?<=\S)\n(?=[^\s\n])", " ", body)
            body = re.sub(r"(?<=[^\n])\n(\n+)(?=[^\s])", r"\1", body)
        if keep == "-":
            return body
        return body + "\n" + tail if keep == "+" else body + ("\n" if body else "")

    def _flow(self):
        self._gap()
        if self._is_over():
            raise self.error("expected ',' or ']', but got the end")
        tag = anchor = None
        while self.text[self.at] in "&!":
            word = re.match(r"[^\s,\[\]{}]+", self._line())[0]
            tag, anchor = (word, anchor) if word[0] == "!" else (tag, word[1:])
            self.at += len(word)
            self._gap()
        c = self.text[self.at]
        if c == "[":
            value = self._flow_items("]")
        elif c == "{":
            value = self._flow_pairs()
        elif c in "'\"":
            value = self._quoted()
        elif c == "*":
            value = self._alias()
        else:
            value = self._flow_plain()
        return self._finished(value, tag, anchor)

    def _flow_plain(self):
        found = re.compile(r"(?:[^,\[\]{}#:\n]|:(?![\s,\[\]{}]|$)|(?<![\s])#)*", re.M).match(self.text, self.at)
        word = found[0].strip()
        self.at = found.end()
        while self.text[self.at : self.at + 1] == "\n":
            self._gap()
            more = re.compile(r"(?:[^,\[\]{}#:\n]|:(?![\s,\[\]{}]|$))*", re.M).match(self.text, self.at)
            if not more[0].strip():
                break
            word, self.at = f"{word} {more[0].strip()}", more.end()
        return _scalars.resolve(word, self.resolvers)

    def _flow_items(self, end):
        self.at += 1
        items = []
        while True:
            self._gap()
            if self._is_over():
                raise self.error("expected ',' or ']', but got '<stream end>'")
            if self.text[self.at] == end:
                self.at += 1
                return items
            value = self._flow()
            self._gap()
            if self.text[self.at : self.at + 1] == ":":
                self.at += 1
                value = {value: self._flow()}
                self._gap()
            items.append(value)
            self._comma(end)

    def _flow_pairs(self):
        self.at += 1
        made, merged = {}, []
        while True:
            self._gap()
            if self._is_over():
                raise self.error("expected ',' or '}', but got '<stream end>'")
            if self.text[self.at] == "}":
                self.at += 1
                for other in merged:
                    made = {**other, **made}
                return made
            key, value = self._flow(), None
            self._gap()
            if self.text[self.at : self.at + 1] == ":":
                self.at += 1
                self._gap()
                value = None if self.text[self.at : self.at + 1] in (",", "}") else self._flow()
            if key == "<<":
                merged += value if isinstance(value, list) else [value]
            else:
                made[tuple(key) if isinstance(key, list) else key] = value
            self._comma("}")

    def _comma(self, end):
        self._gap()
        c = self.text[self.at : self.at + 1]
        if c == ",":
            self.at += 1
        elif c != end:
            raise self.error(f"expected ',' or '{end}', but got {c or '<stream end>'!r}")


def _quote_end(text, at=0):
    """Where a quoted text ends, or None."""
    quote, i = text[at], at + 1
    while i < len(text):
        if text[i] == "\\" and quote == '"':
            i += 2
        elif text[i] == quote:
            if quote == "'" and text[i + 1 : i + 2] == "'":
                i += 2
                continue
            return i + 1
        else:
            i += 1
    return None
