"""Modules that few programs import: kept as packed code and run when asked for, so that the frozen interpreter stays small."""

from __future__ import annotations

import ast
import importlib
import importlib.machinery
import importlib.util
import marshal
import os
import pkgutil
import sys
import zlib
from typing import TYPE_CHECKING

import vramscope_absent
import vramscope_asked
import vramscope_loops
import vramscope_project

if TYPE_CHECKING:
    from typing import Any


# Packages and modules, with all that is below them.
SHELVED = """torch.distributions torch.masked torch.signal torch.futures torch._six torch.utils.model_zoo torch.utils.flop_counter torch._utils torch.library torch.onnx
torch._inductor.lowering torch._dynamo.eval_frame torch._dynamo.external_utils torch._dynamo.decorators torch._dynamo.config
torch._dynamo._trace_wrapped_higher_order_op torch.jit.annotations regex safetensors tokenizers numpy.typing
numpy.dtypes numpy.exceptions numpy.version numpy.testing numpy.ctypeslib numpy.char numpy.polynomial numpy.fft
numpy.core numpy._core numpy.lib numpy.ma numpy.strings numpy._texts numpy._triangles numpy._putting numpy._nan numpy._rare_math
numpy._polynomials numpy._matrices numpy._dates numpy._less_used numpy._reductions numpy._printing PIL cv2 scipy librosa absl distutils packaging pkg_resources tiktoken sentencepiece triton torch_einops_utils einx lion_pytorch ema_pytorch inflect configargparse munch
einops albumentations huggingface_hub torchsearchsorted torch.nn.utils.parametrize skimage imageio soxr soundfile lmdb xxhash torchsummary torchao six fire gymnasium gym yacs ml_collections numba pycocotools blobfile mpi4py requests datasets vramscope_hub vramscope_ranks filelock easydict
transformers.tokens transformers.pipelines transformers.trainer transformers.evaluating unsloth gptqmodel optimum adam_atan2_pytorch fairscale readline pwd tensorboard lightning_utilities lightning pytorch_lightning lightning_fabric torchmetrics yaml omegaconf hydra
pandas pyarrow h5py sklearn spacy tyro jsonargparse evaluate unidecode torchtext tensorflow flash_attn xformers deepspeed liger_kernel torch.distributed.tensor torch.distributed.algorithms
torch.distributed.optim torch.distributed.nn torch.distributed._composable torch.distributed._state_dict_utils
torch.distributed.elastic torch.distributed.rpc accelerate torch.func torch.fx torchvision bitsandbytes peft
torch.distributed.pipelining torch.distributed.fsdp torch.distributed.checkpoint torch.distributed._tensor
torch.distributed._functional_collectives torch.nn.parallel torch.utils.tensorboard torch.nn.utils.prune torch.nn.utils.parametrizations torch.nn.utils.fusion
torch.autograd._memory_timeline torchviz cut_cross_entropy marimo wandb matplotlib psutil pynvml vramscope_changes
transformers.hf_argparser transformers.training_args transformers.utils transformers.integrations transformers.deepspeed transformers.trainer_callback
transformers.trainer_utils transformers.trainer_pt_utils click networkx vramscope_pydantic vramscope_deepspeed_ops vramscope_stateful_loader vramscope_requirements
torch.nn.attention.flex_attention torch.nn.attention._block_mask torch.nn.attention._flex_captured torch.nn.attention._flex_kernels
torch.utils.cpp_extension torch.utils.data._utils torch.utils.data.datapipes.iter torch.utils.data.datapipes.map torch.utils.weak torch.utils._contextlib torch.utils.dlpack torch.utils._foreach_utils torch.autograd.forward_ad""".split()

# Loops of ours that drive a program's: they are compiled when they are imported, so that they end by themselves.
DRIVERS = frozenset({"lightning.pytorch._loops", "transformers.trainer", "transformers.evaluating"})

ROOT = "/lib/vramscope"
_shelf = {}  # name -> (whether it is a package, its packed code)
_kept = {}  # name -> module that is in the frozen interpreter, whose file is not there
_texts = {}  # path of a text below the folder of the stand-ins -> packed text


def is_shelved(name: str) -> bool:
    return _is_below(name, SHELVED)


def modules_to_import(root: Any) -> Any:
    """All modules of the stand-ins that are not shelved; walking imports none."""

    def walk(path, prefix):
        for module in pkgutil.iter_modules([path], prefix):
            if is_shelved(module.name):
                continue
            yield module
            if module.ispkg:
                yield from walk(f"{path}/{module.name.rpartition('.')[2]}", module.name + ".")

    return walk(root, "")


def put(root: Any) -> None:
    """Compiles everything that is shelved below the folder of the stand-ins."""
    for top in SHELVED:
        path = os.path.join(root, *top.split("."))
        if not os.path.exists(path) and not os.path.exists(path + ".py"):
            continue
        if os.path.isdir(path):
            for folder, _, files in os.walk(path):
                for file in files:
                    if file.endswith(".py"):
                        _put_file(os.path.join(folder, file), root)
                    elif file.endswith(".txt"):
                        _put_text(os.path.join(folder, file), root)
        else:
            _put_file(path + ".py", root)
    if Finder not in sys.meta_path:
        sys.meta_path.insert(0, First)
        sys.meta_path.append(Finder)
        sys.meta_path.append(vramscope_project.Finder)
        sys.meta_path.append(vramscope_absent.Finder)


def _put_file(path, root):
    name = os.path.relpath(path, root).removesuffix(".py").replace(os.sep, ".")
    package = name.endswith(".__init__")
    name = name.removesuffix(".__init__")
    with open(path) as file:
        text = file.read()
    code = text if name in DRIVERS else compile(_without_docstrings(text), path, "exec", dont_inherit=True)
    _shelf[name] = (package, zlib.compress(marshal.dumps(code), 9))


def _without_docstrings(text):
    """A module's tree whose docstrings nobody reads: they are for who reads the source."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if ast.get_docstring(node, clean=False) is None:
            continue
        if isinstance(node, ast.Module):
            del node.body[0]
        else:
            node.body[0] = ast.copy_location(ast.Pass(), node.body[0])
    return tree


def keep() -> None:
    """Remembers the stand-ins that are imported by now: who takes one out of sys.modules and imports it again gets it back."""
    _kept.update((name, module) for name, module in sys.modules.items() if _is_stand_in(module))


def forget(name: str) -> None:
    """Takes a stand-in from the shelf, with all that is below it: nobody finds it again."""
    for table in (_shelf, _kept):
        for known in [k for k in table if k == name or k.startswith(name + ".")]:
            del table[known]


def _is_stand_in(module):
    return (getattr(module, "__file__", None) or "").startswith(ROOT + "/")


class Kept:
    """Loads what is there already."""

    @staticmethod
    def create_module(spec: Any) -> Any:
        return _kept[spec.name]

    @staticmethod
    def exec_module(module: Any) -> None:
        pass


def _put_text(path, root):
    with open(path, "rb") as file:
        _texts[os.path.relpath(path, root)] = zlib.compress(file.read(), 9)


def text(path: str) -> Any:
    """A text file that lies beside shelved modules."""
    return zlib.decompress(_texts[path]).decode()


# Stand-ins for packages with a compiled core, which cannot be loaded, for those that only reach the network, and for those whose
# contents are other people's compiled simulators or tables: they win over the installed package.
COMPILED = frozenset(
    """regex safetensors tokenizers PIL tiktoken sentencepiece triton blobfile mpi4py requests datasets pandas pyarrow h5py sklearn spacy torchtext
    torchvision imageio flash_attn xformers bitsandbytes gptqmodel cut_cross_entropy unsloth matplotlib psutil pynvml wandb cv2 skimage soxr soundfile lmdb xxhash scipy librosa gym gymnasium evaluate""".split()
)

# Parts of those packages that are plain Python: where the package is installed its own files are read, and ours where it is not. What ours
# lacks is read from there, too.
PLAIN = {"torchvision": ("torchvision.models", "torchvision.ops")}

# Modules of packages whose other files are read as they are installed, and what stands in for each: those that are compiled, and those
# that are built on the processes and threads of PyTorch's own data loader.
PARTS = {
    "torchdata.stateful_dataloader.stateful_dataloader": "vramscope_stateful_loader",
    "pydantic_core._pydantic_core": "vramscope_pydantic",
    "deepspeed.git_version_info_installed": "vramscope_deepspeed_ops",
    "deepspeed.ops.adam.fused_adam_op": "vramscope_deepspeed_ops",
    "deepspeed.ops.adam.cpu_adam_op": "vramscope_deepspeed_ops",
    "deepspeed.ops.lion.fused_lion_op": "vramscope_deepspeed_ops",
    "deepspeed.ops.lion.cpu_lion_op": "vramscope_deepspeed_ops",
    "deepspeed.ops.adagrad.cpu_adagrad_op": "vramscope_deepspeed_ops",
}

# Packages that others use where they are installed: who only asks is told that they are not.
QUIET = frozenset(
    "accelerate peft torchao pandas pyarrow h5py jsonargparse sklearn spacy torchmetrics lightning pytorch_lightning lightning_fabric omegaconf hydra cv2 skimage imageio soxr soundfile lmdb xxhash scipy librosa absl".split()
)

# Packages of which ours has a small part: where somebody can do without, they are not there.
IN_PART = frozenset(("tensorflow",))


class Finder:
    """Finds shelved modules after whatever lies on sys.path, so that a person's own package of the name wins."""

    @staticmethod
    def find_spec(fullname: str, path: str | None = None, target: Any = None) -> Any:
        found = _shelf.get(fullname)
        parent = fullname.rpartition(".")[0]
        kept = found is None and fullname in _kept
        if not (found or kept) or (parent and not _is_ours(sys.modules.get(parent))):
            return None
        if kept:
            own = _kept[fullname]
            return importlib.machinery.ModuleSpec(
                fullname, Kept, origin=own.__file__, is_package=hasattr(own, "__path__")
            )
        if fullname not in COMPILED and not parent and vramscope_project.has_package(fullname):
            return None
        if fullname in QUIET and vramscope_absent.only_asked():
            return None
        if fullname in IN_PART and (vramscope_absent.only_asked() or not _is_wanted()):
            return None
        spec = importlib.machinery.ModuleSpec(fullname, Finder, is_package=found[0])
        spec.origin = f"{ROOT}/{fullname.replace('.', '/')}" + ("/__init__.py" if found[0] else ".py")
        spec.has_location = True
        if found[0] and fullname.partition(".")[0] in PLAIN:
            spec.submodule_search_locations = _installed(fullname)
        return spec

    @staticmethod
    def find_distributions(context: Any) -> Any:
        import vramscope_distributions

        return vramscope_distributions.find(context)

    @staticmethod
    def create_module(spec: Any) -> None:
        return None

    @staticmethod
    def exec_module(module: Any) -> None:
        code = marshal.loads(zlib.decompress(_shelf[module.__name__][1]))
        if isinstance(code, str):
            code = vramscope_loops.compile_program(code, module.__spec__.origin)
        exec(code, module.__dict__)
        # some of our files are folders in the package: what is below them is missing by its own name
        module.__dict__.setdefault("__path__", [])
        if module.__name__.startswith("torch."):
            sys.modules["torch._shells"].complete(module)


class Part:
    """Loads what stands in for one compiled module, under that module's name."""

    @staticmethod
    def create_module(spec: Any) -> Any:
        return importlib.import_module(PARTS[spec.name])

    @staticmethod
    def exec_module(module: Any) -> None:
        pass


class First:
    """Finds stand-ins of compiled packages before the installed ones, and after modules that lie beside the script."""

    @staticmethod
    def find_spec(fullname: str, path: str | None = None, target: Any = None) -> Any:
        if fullname in PARTS:
            return importlib.machinery.ModuleSpec(fullname, Part)
        if fullname.partition(".")[0] in vramscope_absent.DRAWN_WITH_MATPLOTLIB:
            return vramscope_absent.Finder.find_spec(fullname, path)
        if fullname not in COMPILED:
            plain = PLAIN.get(fullname.partition(".")[0])
            return None if plain is None or _is_below(fullname, plain) else Finder.find_spec(fullname, path)
        own = importlib.machinery.PathFinder.find_spec(fullname, path)
        if own is not None and _is_programs(own, fullname):
            return None
        if fullname in QUIET and vramscope_absent.only_asked():
            return None
        return Finder.find_spec(fullname, path)


def _is_wanted():
    """Whether an import ends the program where the package is not there."""
    import vramscope_deferred

    return vramscope_deferred.wanted() is not None


def _is_below(name, tops):
    return any(name == top or name.startswith(top + ".") for top in tops)


def _installed(package):
    """The folders of an installed package, of which ours stands for the compiled parts."""
    folders = [f"{folder}/{package.replace('.', '/')}" for folder in sys.path if folder.startswith(_INSTALLED[:3])]
    return [folder for folder in folders if os.path.isfile(f"{folder}/__init__.py")]


def _is_programs(spec, name):
    """Whether a module is the program's own; a folder without an __init__ is where modules lie in it that are asked for."""
    if spec.origin:
        return not any(part in spec.origin for part in _INSTALLED)
    folders = [f for f in spec.submodule_search_locations or () if not any(part in f"{f}/" for part in _INSTALLED)]
    has_modules = any(file.endswith(".py") for folder in folders for file in os.listdir(folder))
    return has_modules and vramscope_asked.is_in_folders(name, folders)


_INSTALLED = ("/site-packages/", "/python-path/", "/dist-packages/", ROOT + "/")


def _is_ours(module):
    return _is_stand_in(module) or getattr(module, "__file__", 0) is None
