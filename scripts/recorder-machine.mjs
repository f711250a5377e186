// The machine on which the corpora were recorded, from the options of a recording.

/**
 * An Ampere workspace, no temporaries inside kernels, a device whose numbers cannot be read; options change the rest. A released build on a CUDA without
 * a card (scripts/record/cardless) has an A100's own settings, and what its kernels take.
 */
export function recorderMachine(options) {
  if (options.includes("--released-build"))
    return {
      machine: { unreadableDevice: true, nothingComputed: true },
      attention: "auto",
      kernelTemporaries: "on",
    };
  const machine = { cublasWorkspaceBytes: 8320 * 1024, transientLtBytes: 0, unreadableDevice: true };
  let attention = "auto";
  for (let i = 0; i < options.length; i++) {
    if (options[i] === "--no-workspace") machine.cublasWorkspaceBytes = 0;
    if (options[i] === "--arch" && options[i + 1] === "hopper") machine.cublasWorkspaceBytes = 32 * 1024 * 1024;
    if (options[i] === "--lt-workspace") machine.transientLtBytes = Number(options[i + 1]);
    if (options[i] === "--attention") attention = options[i + 1];
  }
  return { machine, attention, kernelTemporaries: "off" };
}
