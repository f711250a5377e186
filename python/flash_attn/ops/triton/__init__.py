"""Its Triton kernels: cross_entropy, rotary."""
