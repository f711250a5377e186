/** Sparse tensors in coordinate form, held against what PyTorch 2.14.1 printed on libraries of CUDA that never work (scripts/record/cardless). */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { vramscope } from "../built.ts";

it("take the bytes that they take in PyTorch", async () => {
  const script = join(import.meta.dirname, "sparse_tensors.py");
  const result = await vramscope.run({ script, gpu: "a100", torch: "2.14" });
  expect([result.errorText, result.stdout]).toEqual([null, readFileSync(script.replace(/py$/, "txt"), "utf8")]);
});

it("are multiplied with dense ones under every name, with gradients, and refuse what is not simulated", async () => {
  const source = `
import torch
dense = torch.ones(30, 4, device="cuda", requires_grad=True)
entries = torch.ones(30, device="cuda", requires_grad=True)
places = torch.arange(30, device="cuda").repeat(2, 1)
sparse = torch.sparse_coo_tensor(places, entries, (30, 30))
for product in (torch.mm(sparse, dense), torch.matmul(sparse, dense), torch.spmm(sparse, dense), sparse @ dense, torch.sparse.mm(sparse, dense), (dense.t() @ sparse).t()):
    product.sum().backward()
print(tuple(dense.grad.shape), tuple(entries.grad.shape), tuple(torch.mv(sparse, dense[:, 0]).shape), torch.is_tensor(sparse))
print(torch.randn(3, 4, 5, device="cuda").to_sparse(1), sparse.coalesce().is_coalesced(), tuple(sparse.to_dense().shape))
try:
    torch.topk(sparse, 2)
except RuntimeError as error:
    print(error)
`;
  const { errorText, stdout } = await vramscope.run({ script: "p.py", source, gpu: "a100", torch: "2.14" });
  expect(errorText).toBeNull();
  expect(stdout.trim().split("\n")).toEqual([
    "(30, 4) (30,) (30,) True",
    "tensor(size=(3, 4, 5), nnz=3, layout=torch.sparse_coo) True (30, 30)",
    "vramscope does not simulate this operator of sparse tensors",
  ]);
});
