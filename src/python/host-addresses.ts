/** Addresses of storages on the CPU, which have no memory here: programs tell tensors that share one by them. */

import type { Storage } from "../tensor/tensor.ts";

/** Where a process on Linux maps large blocks, and how PyTorch's CPU allocator aligns them. */
const FIRST = 0x7f00_0000_0000;
const ALIGNMENT = 64;

/** Gives each storage an address when it is first asked for; no two areas overlap. */
export function hostAddresses(): (storage: Storage) => number {
  const known = new WeakMap<Storage, number>();
  let next = FIRST;
  return (storage) => {
    if (storage.device !== "cpu" || storage.nbytes === 0) return 0;
    const found = known.get(storage);
    if (found !== undefined) return found;
    const address = next;
    known.set(storage, address);
    next += Math.ceil(storage.nbytes / ALIGNMENT) * ALIGNMENT;
    return address;
  };
}
