"""Products as autograd functions."""

from ._functions import MatMul4Bit, MatMul8bitLt
