"""Which release of bitsandbytes is played: what changed memory, read in the wheels of 0.40.0 to 0.49.0."""

from __future__ import annotations

from vramscope_played import Played

OLDEST = (0, 40)
NEWEST = (0, 49)

# Each row: the release that did away with it, and the file of bitsandbytes that shows it.
PAST = {
    # a 4-bit product kept its input for backward: autograd/_functions.py, MatMul4Bit
    "inputs_kept": (0, 43, 2),
    # codes were scaled before they came to the GPU: functional.py, get_4bit_type
    "codes_of_host": (0, 43, 1),
    # 4-bit weights were quantized from float16, whatever the model's type: nn/modules.py, Params4bit
    "quantized_from_half": (0, 43, 0),
    # a 4-bit weight did not know its layer, so that both went without the collector: nn/modules.py, Linear4bit
    "weights_alone": (0, 43, 0),
    # states of optimizers had a maximum for 2,048 values: optim/optimizer.py
    "long_blocks_of_states": (0, 44, 0),
    # 8-bit products ran on tiles, and activations were quantized by rows and by columns: autograd/_functions.py, MatMul8bitLt
    "tiles": (0, 45, 0),
    # states of quantized tensors shared one code: functional.py, quantize_blockwise
    "codes_shared": (0, 46, 0),
    # the mean was taken off the maxima themselves: functional.py, quantize_4bit
    "statistics_in_place": (0, 46, 0),
    # the first input's type took the place of the type to compute in: nn/modules.py, Linear4bit
    "inputs_decide_type": (0, 47, 0),
}

_played = Played("bitsandbytes", OLDEST, NEWEST, PAST)
is_past = _played.is_past


def version_text() -> str:
    numbers = (*_played.release(), 0)[:3]
    return ".".join(map(str, numbers))
