// What cuBLAS, cuBLASLt, cuDNN and NVRTC answer where a caller reads the answer: a handle, a choice of algorithm, a version. Everything else of these libraries, of
// cuDNN and of NCCL accepts and does nothing.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static void *handle(void) { static uintptr_t next = 0x2000; return (void *)(next += 64); }
int cublasCreate_v2(void **out) { *out = handle(); return 0; }
int cublasLtCreate(void **out) { *out = handle(); return 0; }
int cublasGetPointerMode_v2(void *cublas, int *mode) { *mode = 0; return 0; }
int cublasGetMathMode(void *cublas, int *mode) { *mode = 0; return 0; }
int cublasGetVersion_v2(void *cublas, int *version) { *version = 0; return 0; }
size_t cublasLtGetVersion(void) { return 0; }
// one algorithm that needs no workspace: what PyTorch hands it was allocated before it asked
struct heuristic { uint64_t algorithm[8]; size_t workspace_bytes; int state; float waves; int reserved[4]; };
int cublasLtMatmulAlgoGetHeuristic(void *lt, void *operation, void *a, void *b, void *c, void *d, void *preference, int asked, struct heuristic *results, int *found) {
  memset(results, 0, sizeof *results);
  *found = 1;
  return 0;
}
const char *cublasGetStatusString(int status) { return "cuBLAS without a card"; }
size_t cudnnGetVersion(void) { return CUDNN_RELEASE; }
int cudnnGetProperty(int part, int *value) {
  int thousand = CUDNN_RELEASE >= 90000 ? 10000 : 1000;
  *value = part == 0 ? CUDNN_RELEASE / thousand : part == 1 ? CUDNN_RELEASE % thousand / 100 : CUDNN_RELEASE % 100;
  return 0;
}

// kernels that PyTorch compiles while it runs: compiled to nothing
int nvrtcVersion(int *major, int *minor) { *major = CUDA_MAJOR; *minor = 0; return 0; }
int nvrtcGetPTXSize(void *program, size_t *bytes) { *bytes = 1; return 0; }
int nvrtcGetCUBINSize(void *program, size_t *bytes) { *bytes = 1; return 0; }
int nvrtcGetProgramLogSize(void *program, size_t *bytes) { *bytes = 1; return 0; }
int nvrtcGetLoweredName(void *program, const char *name, const char **lowered) { *lowered = name; return 0; }
