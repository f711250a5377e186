"""Tables as text: what is written into files, and what is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class Written:
    """The part of a table that writes it."""

    def to_csv(self, path_or_buf: Any = None, sep: str = ",", index: bool = True, header: bool = True, **_: Any) -> Any:
        import csv
        import io

        file = io.StringIO()
        writer = csv.writer(file, delimiter=sep, lineterminator="\n")
        if header:
            writer.writerow([*([""] if index else []), *self._columns])
        for i, label in enumerate(self.index):
            writer.writerow([*([label] if index else []), *(v[i] for v in self._columns.values())])
        if path_or_buf is None:
            return file.getvalue()
        if hasattr(path_or_buf, "write"):
            path_or_buf.write(file.getvalue())
        else:
            with open(path_or_buf, "w") as out:
                out.write(file.getvalue())
        return None

    def to_json(self, path_or_buf: Any = None, orient: str = "columns", lines: bool = False, **_: Any) -> Any:
        import json

        rows = self.to_dict("records" if orient == "records" or lines else "dict")
        text = "\n".join(map(json.dumps, rows)) if lines else json.dumps(rows)
        if path_or_buf is None:
            return text
        with open(path_or_buf, "w") as out:
            out.write(text)
        return None

    def to_string(self, **_: Any) -> str:
        return repr(self)

    def __repr__(self) -> str:
        return self.head(10).to_csv(sep="\t") + f"\n[{len(self)} rows x {len(self._columns)} columns]"
