/** What programs do while they are stopped. Each has 1 GiB on the GPU from its second line on, and says so when it is there. */

const GIB = 'import torch\nx = torch.ones(2**28, device="cuda")\nprint("on", flush=True)\n';

/** A module whose import takes a while. */
const LARGE = Array.from({ length: 3000 }, (_, at) => `def f${at}(a, b=${at}):\n    return [a, b, {a: b}]\n`).join(
  "\n",
);

/** By name: the program, what lies beside it, and whether it comes to an end by itself. */
export const PROGRAMS = {
  "Python loop": { source: `${GIB}while True:\n    pass\n`, ends: false },
  "C loop": { source: `${GIB}sum(range(10**12))\n`, ends: false },
  sleep: { source: `${GIB}import time\nwhile True:\n    time.sleep(10)\n`, ends: false },
  "engine call": { source: `${GIB}while True:\n    x + 1\n`, ends: false },
  import: {
    source: `${GIB}import sys\nwhile True:\n    sys.modules.pop("large", None)\n    import large\n`,
    files: { "large.py": LARGE },
    ends: false,
  },
  report: { source: `${GIB}for _ in range(30000):\n    y = x + 1\n`, ends: true },
};
