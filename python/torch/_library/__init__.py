"""What operators of a program's own are made with."""

from . import infer_schema as infer_schema
