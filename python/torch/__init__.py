"""The stand-in for PyTorch: the same names, no values; the engine accounts for memory."""

from . import _defaults
from ._types import ALIASES as _ALIASES, DTYPES as _DTYPES, FORMATS as _FORMATS, LAYOUTS as _LAYOUTS
from ._types import Generator, Size, device, dtype, finfo, iinfo, layout, memory_format

globals().update(_DTYPES)
globals().update({alias: _DTYPES[name] for alias, name in _ALIASES.items()})
globals().update({f.name: f for f in _FORMATS})
legacy_contiguous_format = globals()["contiguous_format"]
globals().update({x.name: x for x in _LAYOUTS})

from . import _C
from ._storage import TypedStorage, UntypedStorage
from ._tensor import Tensor
from . import _functional

globals().update(_C.generate("function"))
globals().update(_functional.public())
from . import _methods

from math import e, inf, nan, pi

newaxis = None
# what a build has, as a build for CUDA on Linux says it
has_lapack = has_mkl = has_openmp = has_spectral = has_cuda = has_cudnn = has_mkldnn = True
has_mps = False
strided = _LAYOUTS[0]


from ._settings import *  # noqa: F403
from ._tensor_text import set_printoptions
from . import _symbols, _other_devices

globals().update(_symbols.public())
from ._typed_tensors import set_default_tensor_type
from ._settings import _assert
from ._errors import OutOfMemoryError

from types import SimpleNamespace as _Names

__config__ = _Names(show=lambda: f"PyTorch {_defaults.version_text}, simulated", parallel_info=lambda: "one thread")
__version__ = _defaults.version_text

from .random import get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from .serialization import load, save
from .autograd.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from . import autograd, backends, cuda, utils, version, testing
from . import _typed_tensors, amp

_typed_tensors.install()
from ._records import PyTorchFileReader, PyTorchFileWriter, storage_classes

globals().update(storage_classes(_DTYPES))
from .cuda.streams import Event, Stream
from .random import default_generator

_other_devices.install(globals())
from .amp.autocast_mode import autocast, get_autocast_dtype, is_autocast_enabled
from . import _foreach_bind  # torch._foreach_* and torch._fused_*
from . import (
    nn,
    optim,
    jit,
    linalg,
    special,
    fft,
    profiler,
    distributed,
    multiprocessing,
    hub,
    compiler,
    _dynamo,
    _functorch,
    _inductor,
    accelerator,
    overrides,
)
from . import types, return_types
from . import sparse
from ._compile import _disable_dynamo
from .sparse import mm as spmm, sparse_coo_tensor
from . import _composites, _shells

_composites.install(globals())
import torch  # PyTorch's own module has this name, too
from ._ops import ops
