"""Every constant of bitsandbytes that decides bytes, with its evidence, in one place.

Evidence: `run` was seen when the package's own Python ran over PyTorch 2.14 with its kernel library replaced by nothing;
`source` was read in the package at the version named; `reference` agrees with published accounts. Nothing was measured on
a GPU, so the report lists the package's operators as not verified.
"""

# Values that share a maximum in 4-bit weights. run, reference: Params4bit, quantize_4bit
BLOCK_OF_4BIT = 64
# Maxima that share a maximum where they are quantized again. run, reference: quantize_4bit (compress_statistics)
BLOCK_OF_STATISTICS = 256
# Default of quantize_blockwise. run: functional
BLOCK_OF_8BIT = 4096
# Values of an optimizer state that share a maximum, today and up to 0.43.3. run, reference; source
BLOCK_OF_STATE, PAST_BLOCK_OF_STATE = 256, 2048
# Parameters with fewer values keep float32 states. run: optim (min_8bit_size)
SMALLEST_8BIT_STATE = 4096
# Paged states of at least so many values are not in the GPU's allocator. source: get_state_buffer
SMALLEST_PAGED_STATE = 100_000
# Entries of an 8-bit and of a 4-bit code, float32 each. run: functional
CODE_OF_8BIT, CODE_OF_4BIT = 256, 16
# Entries of the history for percentile clipping, float32. run: init_state
NORM_HISTORY = 100
