/** What is compiled in PyTorch is made here from the rows of operators, but for functions that run no operator: each of those is listed with its reason. */

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { vramscope } from "../built.ts";

/** Written by hand: why, and which. */
const BY_HAND: Readonly<Record<string, { readonly torch: string; readonly Tensor: string }>> = {
  "settings of the process": {
    torch: `autocast_decrement_nesting autocast_increment_nesting clear_autocast_cache get_autocast_cpu_dtype get_autocast_dtype get_autocast_gpu_dtype
      get_default_dtype get_num_interop_threads get_num_threads is_autocast_cache_enabled is_autocast_cpu_enabled is_autocast_enabled is_grad_enabled
      is_inference_mode_enabled set_autocast_cache_enabled set_autocast_cpu_dtype set_autocast_cpu_enabled set_autocast_dtype set_autocast_enabled
      set_autocast_gpu_dtype set_flush_denormal set_num_interop_threads set_num_threads`,
    Tensor: "",
  },
  "questions that run no operator": {
    torch: `can_cast get_device is_complex is_conj is_distributed is_floating_point is_inference is_neg is_nonzero is_same_size is_signed numel
      promote_types result_type`,
    Tensor: `data_ptr dim element_size get_device is_complex is_conj is_contiguous is_floating_point is_inference is_neg is_nonzero is_pinned
      is_same_size is_set_to is_signed ndimension nelement numel size storage_offset stride`,
  },
  "data of Python": {
    torch: "as_tensor asarray from_numpy frombuffer sparse_coo_tensor spmm tensor",
    Tensor: "apply_ item map_ new new_tensor numpy tolist",
  },
  "an answer in two forms, one of them a tuple": { torch: "nonzero", Tensor: "nonzero" },
  "casts in one word, and moves": {
    torch: "",
    Tensor: `bfloat16 bool byte cdouble cfloat char cpu cuda double float half int long pin_memory short to to_dense to_sparse type type_as`,
  },
  "a tensor's own geometry, storage and graph": {
    torch: "detach_ resize_as_",
    Tensor: `as_subclass detach detach_ record_stream requires_grad_ resize_ resize_as_ retain_grad set_ squeeze_ t_ transpose_ unsqueeze_
      untyped_storage`,
  },
};

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

const PROGRAM = `
import json, torch

def made_from_rows(function):
    for _ in range(8):
        code = getattr(function, "__code__", None)
        if code is not None and code.co_filename == "<vramscope ops>":
            return True
        inner = [c.cell_contents for c in getattr(function, "__closure__", None) or ()]
        if code is not None and code.co_filename.endswith("_overloads.py"):
            return True
        nested = [x for x in inner if hasattr(x, "__code__")]
        function = getattr(function, "__wrapped__", None) or (nested[0] if len(nested) == 1 else None)
        if function is None:
            return False
    return False

def by_hand(owner):
    found = [n for n in dir(owner) if not n.startswith("_") and callable(getattr(owner, n, None))]
    return [n for n in found if not isinstance(getattr(owner, n), type) and not made_from_rows(getattr(owner, n))]

print(json.dumps({"torch": by_hand(torch), "Tensor": by_hand(torch.Tensor)}))
`;

it("makes torch's and Tensor's compiled functions from rows", async () => {
  const { stdout, errorText } = await vramscope.run({ script: "p.py", source: PROGRAM });
  expect(errorText).toBeNull();
  const found = JSON.parse(stdout) as Record<"torch" | "Tensor", string[]>;
  const lines = readFileSync(new URL("compiled-functions.txt", import.meta.url), "utf8").split("\n");
  for (const owner of ["torch", "Tensor"] as const) {
    const compiled = new Set(words(lines.find((line) => line.startsWith(`${owner}: `))!.slice(owner.length + 1)));
    const listed = Object.values(BY_HAND).flatMap((names) => words(names[owner]));
    expect(found[owner].filter((name) => compiled.has(name)).sort()).toEqual(listed.sort());
  }
});
