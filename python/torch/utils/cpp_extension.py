"""torch.utils.cpp_extension: a simulated machine has no compiler and no CUDA toolkit."""

CUDA_HOME = ROCM_HOME = CUDNN_HOME = SYCL_HOME = None
IS_HIP_EXTENSION = False
