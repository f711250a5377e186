"""Settings of the compiler's code generator, which programs set before they compile."""

coordinate_descent_tuning = False
fx_graph_cache = True
max_autotune = False
epilogue_fusion = True
force_fuse_int_mm_with_mul = False
use_mixed_mm = False


class triton:
    unique_kernel_names = True
    cudagraphs = False
    cudagraph_trees = True
