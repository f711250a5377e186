"""pyarrow: tables of rows that stand in for what files hold; nobody here reads Parquet's pages."""

from torch._stand_ins import lacks

from ._table import Column, Table, schema, table

__version__ = "21.0.0"
array = Column
__all__ = ["Column", "Table", "array", "schema", "table"]
__getattr__ = lacks("pyarrow")
