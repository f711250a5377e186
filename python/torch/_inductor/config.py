"""Settings of the compiler's code generator, which programs set before they compile."""

coordinate_descent_tuning = False
fx_graph_cache = True
coordinate_descent_check_all_directions = False
max_autotune = max_autotune_gemm = max_autotune_pointwise = False
max_autotune_gemm_search_space = "DEFAULT"
max_autotune_gemm_backends = "ATEN,TRITON,CPP"
epilogue_fusion = True
force_fuse_int_mm_with_mul = False
use_mixed_mm = False


class triton:
    unique_kernel_names = True
    cudagraphs = False
    cudagraph_trees = True
