// What the CUDA driver answers where PyTorch reads the answer: there is a context, and it is in use.
#include <stdint.h>
static uintptr_t context;
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) { *flags = 0; *active = 1; return 0; }
int cuDevicePrimaryCtxRetain(void **out, int device) { *out = &context; return 0; }
int cuCtxGetCurrent(void **out) { *out = &context; return 0; }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }
int cuGetErrorString(int error, const char **text) { *text = "an error of the driver without a card"; return 0; }
