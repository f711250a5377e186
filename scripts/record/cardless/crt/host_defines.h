// The marks that the CUDA runtime's headers put before declarations, for a plain C compiler: they mean nothing to it.
#pragma once
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define __cudart_builtin__
#define __device_builtin__
#define __device_builtin_surface_type__
#define __device_builtin_texture_type__
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __cuda_builtin_vector_align8(tag, members) struct __attribute__((aligned(8))) tag { members }
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __location__(a)
#define __specialization_static static
#define __inline_hint__
#define __nv_pure__
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __inline__
