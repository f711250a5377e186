"""What NumPy 2.4.6 and SciPy 1.17 print of kinds of numbers, lists beside scalars, and sparse matrices."""

import numpy as np
print(np.result_type(np.zeros(2,'float32'), np.int16), np.result_type('float32', np.zeros(3)))
import scipy.sparse as sp, pickle, io
m = sp.csr_matrix(np.array([[1,0,2],[0,0,3]], "float32"))
d = sp.diags(np.array([0.5, 2], "float32"))
print(d.dtype, d.dot(m).dtype, d.dot(m).toarray().tolist(), (d @ np.ones((2,3))).dtype)
print(pickle.loads(pickle.dumps(m)).toarray().tolist())
f = np.finfo("float32")
print(f.precision, f.nmant, f.maxexp, f.minexp, f.machep, f.negep, f.iexp, [1,2]/np.float64(4), np.float64(3)-[1,2], np.int64(2)*[1,2])
