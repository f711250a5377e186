/** Views that read the same bytes as other values: real and imaginary parts, conjugates, another dtype. */

import { type DType, FLOAT16, FLOAT32, FLOAT64, isComplex, toComplex, toReal } from "../tensor/dtype.ts";
import { cxxName } from "../tensor/cxx-names.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { d, defineOps, type Kernel, type OpRow } from "./row.ts";

/** A view whose values are the conjugated or negated ones of its base. */
function lazily(base: Tensor, k: Kernel): Tensor {
  const view = k.view(base, base.sizes, base.strides);
  view.unresolved = !base.unresolved;
  return view;
}

export const valueViews = defineOps([
  {
    schema: "view_as_real(Tensor self) -> Tensor",
    evidence: "derivatives.yaml: view_as_real; case attention/rotary-embeddings",
    forward: ({ self }, k) => {
      if (!isComplex(self.dtype)) throw new TorchError("view_as_real is only supported for complex tensors");
      if (self.unresolved)
        throw new TorchError(
          "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original.",
        );
      const strides = [...self.strides.map((s: number) => 2 * s), 1];
      return k.view(self, [...self.sizes, 2], strides, self.offset * 2, false, toReal(self.dtype));
    },
    derivatives: [d("self", "", ({ grad, ops: o }) => o.view_as_complex(o.contiguous(grad)))],
  },
  {
    schema: "view_as_complex(Tensor self) -> Tensor",
    evidence: "derivatives.yaml: view_as_complex; case attention/rotary-embeddings",
    forward: ({ self }, k) => {
      if (![FLOAT16, FLOAT32, FLOAT64].includes(self.dtype))
        throw new TorchError(
          `view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: ${cxxName(self.dtype)}`,
        );
      if (self.rank === 0) throw new TorchError("Input tensor must have one or more dimensions");
      if (self.size(-1) !== 2) throw new TorchError("Tensor must have a last dimension of size 2");
      if (self.strides[self.rank - 1] !== 1) throw new TorchError("Tensor must have a last dimension with stride 1");
      const strides = self.strides.slice(0, -1);
      if (strides.some((s: number) => s % 2))
        throw new TorchError("Tensor must have a stride divisible by 2 for all but last dimension");
      const halved = strides.map((s: number) => s / 2);
      return k.view(self, self.sizes.slice(0, -1), halved, self.offset / 2, false, toComplex(self.dtype));
    },
    derivatives: [d("self", "", ({ grad, ops: o }) => o.view_as_real(o.contiguous(grad)))],
  },
  {
    schema: "real(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: real; case linear-algebra/fourier-transforms",
    composite: ({ self }, o) =>
      isComplex(self.dtype) ? o.select(o.view_as_real(self.unresolved ? o._conj(self) : self), -1, 0) : self,
    python: "function",
  },
  {
    schema: "imag(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: imag; case modules/errors",
    composite: ({ self }, o) => {
      if (!isComplex(self.dtype)) throw new TorchError("imag is not implemented for tensors with non-complex dtypes.");
      if (!self.unresolved) return o.select(o.view_as_real(self), -1, 1);
      return o._neg_view(o.select(o.view_as_real(o._conj(self)), -1, 1));
    },
    python: "function",
  },
  {
    schema: "conj(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: conj; case linear-algebra/fourier-transforms",
    composite: ({ self }, o) => (isComplex(self.dtype) ? o._conj(self) : self),
  },
  {
    schema: "_conj(Tensor self) -> Tensor",
    evidence: "derivatives.yaml: _conj; case linear-algebra/fourier-transforms",
    forward: ({ self }, k) => lazily(self, k),
    python: "none",
    derivatives: [d("self", "", ({ grad, ops: o }) => o.conj(grad))],
  },
  {
    schema: "_neg_view(Tensor self) -> Tensor",
    evidence: "derivatives.yaml: _neg_view",
    forward: ({ self }, k) => lazily(self, k),
    python: "none",
    derivatives: [d("self", "", ({ grad, ops: o }) => o.neg(grad))],
  },
  {
    schema: "conj_physical(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: conj_physical; case elementwise/less-common-functions",
    composite: ({ self }, o) => (isComplex(self.dtype) ? o._conj_physical(self) : self),
  },
  {
    schema: "_conj_physical(Tensor self) -> Tensor",
    evidence: "derivatives.yaml: _conj_physical",
    readsUnresolved: true,
    forward: ({ self }, k) => k.like(self),
    python: "none",
    derivatives: [d("self", "", ({ grad, ops: o }) => o._conj_physical(grad))],
  },
  ...["resolve_conj", "resolve_neg"].map((name): OpRow => ({
    schema: `${name}(Tensor self) -> Tensor`,
    evidence: `native_functions.yaml: ${name}; case elementwise/less-common-functions`,
    composite: ({ self }, o) =>
      self.unresolved && isComplex(self.dtype) === (name === "resolve_conj") ? o.clone(self) : self,
  })),
  {
    // the same bytes as another dtype
    schema: "view.dtype(Tensor self, dtype? dtype) -> Tensor",
    evidence: "native_functions.yaml: view.dtype; case elementwise/less-common-functions",
    forward: ({ self, dtype }, k) => {
      const type: DType = dtype;
      const ratio = self.dtype.itemBytes / type.itemBytes;
      const sizes = [...self.sizes];
      const strides = [...self.strides];
      if (ratio !== 1 && sizes.length) {
        sizes[sizes.length - 1] *= ratio;
        for (let i = 0; i < strides.length - 1; i++) strides[i] *= ratio;
      }
      return k.view(self, sizes, strides, self.offset * ratio, false, type);
    },
    python: "method",
  },
]);
