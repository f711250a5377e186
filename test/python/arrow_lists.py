import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

table = pa.table({"a": [[1, 2, 3], [4, 5], [6, 7, 8, 9, 10], []], "b": [[1, 1, 1], [2, 2], [3, 3, 3, 3, 3], []]})
a, b = [column.chunks[0] for column in table.combine_chunks().columns]
print(pa.types.is_list(a.type), a.offsets.type.to_pandas_dtype().__name__, a.offsets.equals(b.offsets), a.offsets[1].as_py())
print(a.offsets.to_pylist(), a.values.to_pylist(), a.values[2:5].to_pylist())
lengths = pc.list_value_length(a)
full = pc.greater(lengths, 0)
print(lengths.to_pylist(), full.to_pylist(), pc.filter(a, full).to_pylist(), pc.list_slice(a, 0, 2).to_pylist())
print(type(a).from_arrays(np.array([0, 4, 8, 10], dtype=np.int32), a.values).to_pylist())
print(pa.ListArray.from_arrays(np.cumsum([0, 2, 1], dtype=np.int32), pc.filter(lengths, full)).to_pylist())
more = pa.Table.from_arrays([a, b], names=table.column_names).append_column("n", lengths)
print(pc.take(more, [2, 0]).to_pydict(), more.drop_columns("n").column_names)
pairs = pc.make_struct(lengths, np.arange(4)).sort("descending", by=0)
print(pairs.field(0).to_numpy().tolist(), pairs.field(1).to_numpy().tolist())
