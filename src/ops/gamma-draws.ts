/** Draws of gamma and Dirichlet distributions, and their derivatives by the parameter (Distributions.cpp, cuda/Distributions.cu). */

import { d, defineOps } from "./row.ts";

export const gammaDraws = defineOps([
  {
    schema: "_standard_gamma(Tensor self) -> Tensor",
    evidence: "derivatives.yaml: _standard_gamma; case distributions/rates-and-shares",
    python: "function",
    draws: true,
    forward: ({ self }, k) => k.output(self.sizes, self.dtype),
    derivatives: [
      d("self", "self result", ({ grad, saved, ops: o }) =>
        o.mul(grad, o._standard_gamma_grad(saved.self, saved.result)),
      ),
    ],
  },
  {
    schema: "_standard_gamma_grad(Tensor self, Tensor output) -> Tensor",
    evidence: "native_functions.yaml: _standard_gamma_grad; case distributions/rates-and-shares",
    python: "function",
    forward: ({ self }, k) => k.output(self.sizes, self.dtype),
  },
  {
    schema: "_sample_dirichlet(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: _sample_dirichlet; case distributions/rates-and-shares",
    python: "function",
    draws: true,
    forward: ({ self }, k) => {
      const gamma = k.output(self.sizes, self.dtype);
      if (k.temporaries) k.statement(() => void k.ops.sum_dim_IntList(gamma, [-1], true));
      return gamma;
    },
  },
  {
    schema: "_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor",
    evidence: "native_functions.yaml: _dirichlet_grad; case distributions/rates-and-shares",
    python: "function",
    forward: ({ x }, k) => k.output(x.sizes, x.dtype),
  },
]);
