"""pyarrow: tables of rows that stand in for what files hold; nobody here reads Parquet's pages."""

from torch._stand_ins import lacks

from . import types
from ._table import Column, Table, schema, table

__version__ = "21.0.0"
array = ListArray = LargeListArray = ChunkedArray = Column
__all__ = ["ChunkedArray", "Column", "LargeListArray", "ListArray", "Table", "array", "schema", "table", "types"]
__getattr__ = lacks("pyarrow")
