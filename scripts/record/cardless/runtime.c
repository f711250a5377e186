// A CUDA runtime with no card behind it: memory has addresses and a limit, work is accepted and never done. A released PyTorch runs its own
// host code and its own allocator on it. It is compiled against the headers of the release's CUDA, so that every structure has its layout.
// The card comes from CARDLESS_* variables (see card.py). What comes back from the device is zero.
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef CUDART_VERSION
#error "needs the CUDA runtime's headers"
#endif

static long long card(const char *name) {
  const char *text = getenv(name);
  return text ? atoll(text) : 0;
}

// --- memory -----------------------------------------------------------------------------------------------------------------

enum { ALIGNMENT = 2 << 20, MOST = 1 << 16 };
static struct { char *at; size_t bytes; } held[MOST];
static int held_count;
static size_t used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread cudaError_t last_error;

static cudaError_t failed(cudaError_t error) { return last_error = error; }

static int on_device(const void *pointer) {
  int found = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < held_count && !found; i++)
    found = (char *)pointer >= held[i].at && (char *)pointer < held[i].at + held[i].bytes;
  pthread_mutex_unlock(&lock);
  return found;
}

cudaError_t cudaMalloc(void **out, size_t bytes) {
  size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  pthread_mutex_lock(&lock);
  cudaError_t result = cudaErrorMemoryAllocation;
  if (held_count < MOST && used + rounded <= (size_t)card("CARDLESS_TOTAL_BYTES")) {
    // nothing can be read or written there: a read by the host is a mistake that must not pass
    char *at = mmap(NULL, rounded + ALIGNMENT, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at != MAP_FAILED) {
      char *aligned = (char *)(((uintptr_t)at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
      held[held_count].at = aligned;
      held[held_count++].bytes = rounded;
      used += rounded;
      *out = aligned;
      result = cudaSuccess;
    }
  }
  pthread_mutex_unlock(&lock);
  return result == cudaSuccess ? result : failed(result);
}

cudaError_t cudaFree(void *pointer) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < held_count; i++)
    if (held[i].at == pointer) {
      munmap(held[i].at, held[i].bytes);
      used -= held[i].bytes;
      held[i] = held[--held_count];
      break;
    }
  pthread_mutex_unlock(&lock);
  return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t stream) { return cudaMalloc(out, bytes); }
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) { return cudaFree(pointer); }
cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags) {
  return posix_memalign(out, 4096, bytes ? bytes : 1) ? failed(cudaErrorMemoryAllocation) : cudaSuccess;
}
cudaError_t cudaFreeHost(void *pointer) { free(pointer); return cudaSuccess; }
cudaError_t cudaHostGetDevicePointer(void **out, void *host, unsigned flags) { *out = host; return cudaSuccess; }

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  *total_bytes = card("CARDLESS_TOTAL_BYTES");
  *free_bytes = *total_bytes - used;
  return cudaSuccess;
}

static cudaError_t copy(void *to, const void *from, size_t bytes) {
  if (!bytes || on_device(to)) return cudaSuccess;
  if (on_device(from)) memset(to, 0, bytes);
  else memmove(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) { return copy(to, from, bytes); }
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t s) { return copy(to, from, bytes); }
cudaError_t cudaMemcpy2D(void *to, size_t pitch, const void *from, size_t from_pitch, size_t width, size_t rows, enum cudaMemcpyKind kind) {
  for (size_t row = 0; row < rows; row++) copy((char *)to + row * pitch, (const char *)from + row * from_pitch, width);
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t pitch, const void *from, size_t from_pitch, size_t width, size_t rows, enum cudaMemcpyKind kind, cudaStream_t s) {
  return cudaMemcpy2D(to, pitch, from, from_pitch, width, rows, kind);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer) {
  memset(attributes, 0, sizeof *attributes);
  int device = on_device(pointer);
  attributes->type = device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  if (device) attributes->devicePointer = (void *)pointer;
  attributes->hostPointer = device ? NULL : (void *)pointer;
  return cudaSuccess;
}

cudaError_t cudaGetSymbolAddress(void **out, const void *symbol) { return cudaMalloc(out, 1); }

// --- device -----------------------------------------------------------------------------------------------------------------

static __thread int current_device;
cudaError_t cudaGetDeviceCount(int *count) { *count = card("CARDLESS_DEVICES"); return cudaSuccess; }
cudaError_t cudaGetDevice(int *device) { *device = current_device; return cudaSuccess; }
cudaError_t cudaSetDevice(int device) { current_device = device; return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int *version) { *version = CUDART_VERSION; return cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int *version) { *version = CUDART_VERSION; return cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) { *can = 1; return cudaSuccess; }
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) { *least = 0; *greatest = -5; return cudaSuccess; }
cudaError_t cudaDeviceGetPCIBusId(char *out, int length, int device) { strncpy(out, "0000:00:00.0", length); return cudaSuccess; }

#if CUDART_VERSION >= 12000 && CUDART_VERSION < 13000
#undef cudaGetDeviceProperties
#define FILL_PROPERTIES cudaGetDeviceProperties_v2
#else
#define FILL_PROPERTIES cudaGetDeviceProperties
#endif
cudaError_t FILL_PROPERTIES(struct cudaDeviceProp *p, int device) {
  memset(p, 0, sizeof *p);
  strncpy(p->name, getenv("CARDLESS_NAME") ? getenv("CARDLESS_NAME") : "no card", sizeof p->name - 1);
  p->totalGlobalMem = card("CARDLESS_TOTAL_BYTES");
  p->major = card("CARDLESS_MAJOR");
  p->minor = card("CARDLESS_MINOR");
  p->multiProcessorCount = card("CARDLESS_PROCESSORS");
  p->maxThreadsPerMultiProcessor = card("CARDLESS_THREADS");
  p->sharedMemPerMultiprocessor = card("CARDLESS_SHARED_BYTES");
  p->sharedMemPerBlockOptin = card("CARDLESS_SHARED_BYTES") - 1024;
  p->l2CacheSize = card("CARDLESS_L2_BYTES");
  p->sharedMemPerBlock = 48 << 10;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->maxBlocksPerMultiProcessor = 32;
  p->warpSize = 32;
  p->maxThreadsPerBlock = p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 0x7fffffff;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->unifiedAddressing = p->concurrentKernels = p->cooperativeLaunch = 1;
  p->textureAlignment = p->memPitch = 512;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor: *value = card("CARDLESS_MAJOR"); break;
    case cudaDevAttrComputeCapabilityMinor: *value = card("CARDLESS_MINOR"); break;
    case cudaDevAttrMultiProcessorCount: *value = card("CARDLESS_PROCESSORS"); break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = card("CARDLESS_THREADS"); break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = card("CARDLESS_SHARED_BYTES"); break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = card("CARDLESS_SHARED_BYTES") - 1024; break;
    case cudaDevAttrL2CacheSize: *value = card("CARDLESS_L2_BYTES"); break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = 48 << 10; break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = 65536; break;
    case cudaDevAttrWarpSize: *value = 32; break;
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY: *value = 1024; break;
    case cudaDevAttrMaxBlockDimZ: *value = 64; break;
    case cudaDevAttrMaxGridDimX: *value = 0x7fffffff; break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: *value = 65535; break;
    case cudaDevAttrCooperativeLaunch: *value = 1; break;
    default: *value = 0;
  }
  return cudaSuccess;
}

// --- kernels ----------------------------------------------------------------------------------------------------------------

// How many registers a kernel takes is in its machine code, which is not read: 32 stands for all.
enum { REGISTERS = 32 };

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
  memset(attributes, 0, sizeof *attributes);
  attributes->numRegs = REGISTERS;
  attributes->maxThreadsPerBlock = 1024;
  attributes->ptxVersion = attributes->binaryVersion = card("CARDLESS_MAJOR") * 10 + card("CARDLESS_MINOR");
  attributes->maxDynamicSharedSizeBytes = 48 << 10;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads, size_t shared, unsigned flags) {
  long long by_threads = card("CARDLESS_THREADS") / (threads ? threads : 1), by_registers = 65536 / (REGISTERS * (threads ? threads : 1));
  long long least = by_threads < by_registers ? by_threads : by_registers;
  if (shared && card("CARDLESS_SHARED_BYTES") / (long long)shared < least) least = card("CARDLESS_SHARED_BYTES") / shared;
  *blocks = least > 32 ? 32 : least;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

static __thread struct { dim3 grid, block; size_t shared; void *stream; } pushed;
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  pushed.grid = grid; pushed.block = block; pushed.shared = shared; pushed.stream = stream;
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  *grid = pushed.grid; *block = pushed.block; *shared = pushed.shared; *(void **)stream = pushed.stream;
  return cudaSuccess;
}
void **__cudaRegisterFatBinary(void *binary) { static void *one; return &one; }
cudaError_t __cudaGetKernel(void **kernel, const void *entry) { *kernel = (void *)entry; return cudaSuccess; }

// --- streams and events -----------------------------------------------------------------------------------------------------

static void *next_handle(void) { static uintptr_t next = 0x1000; return (void *)__atomic_add_fetch(&next, 16, __ATOMIC_SEQ_CST); }
cudaError_t cudaStreamCreate(cudaStream_t *stream) { *stream = next_handle(); return cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) { *stream = next_handle(); return cudaSuccess; }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) { *stream = next_handle(); return cudaSuccess; }
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) { *priority = 0; return cudaSuccess; }
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) { *status = cudaStreamCaptureStatusNone; return cudaSuccess; }
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) { *mode = cudaStreamCaptureModeGlobal; return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t *event) { *event = next_handle(); return cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) { *event = next_handle(); return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) { *milliseconds = 1; return cudaSuccess; }

// --- errors -----------------------------------------------------------------------------------------------------------------

cudaError_t cudaGetLastError(void) { cudaError_t error = last_error; last_error = cudaSuccess; return error; }
cudaError_t cudaPeekAtLastError(void) { return last_error; }
const char *cudaGetErrorString(cudaError_t error) { return error == cudaErrorMemoryAllocation ? "out of memory" : "an error of the runtime without a card"; }
const char *cudaGetErrorName(cudaError_t error) { return error == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation" : "cudaErrorUnknown"; }

// --- the driver's functions that PyTorch asks for by name --------------------------------------------------------------------

static int accept(void) { return 0; }
#if CUDART_VERSION >= 12050
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version, unsigned long long flags, enum cudaDriverEntryPointQueryResult *status) {
  *function = (void *)accept;
  if (status) *status = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}
#endif
#if CUDART_VERSION >= 12000 && CUDART_VERSION < 13000
cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags, enum cudaDriverEntryPointQueryResult *status) {
  *function = (void *)accept;
  if (status) *status = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}
#endif
