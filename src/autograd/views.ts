/**
 * In-place changes of views: the base's history gets a CopySlices node, and views made before get a new grad_fn when
 * they are next asked for it (torch/csrc/autograd/variable.cpp rebase_history, functions/tensor.cpp CopySlices).
 */

import type { TensorMeta } from "../ops/row.ts";
import type { Shape } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { AutogradHost } from "./host.ts";
import type { SavedEnd } from "../trace/model.ts";
import { Node } from "./node.ts";
import type { SavedTensor } from "./saved.ts";

interface Geometry {
  readonly sizes: Shape;
  readonly strides: Shape;
  readonly offset: number;
}

const geometryOf = (t: Tensor): Geometry => ({ sizes: t.sizes, strides: t.strides, offset: t.offset });

/** Gradient of a base part of which was overwritten: the inner node sees the part, the rest passes through. */
export class CopySlices extends Node {
  private readonly base: Geometry;
  private readonly view: Geometry;
  private inner: Node | null;

  /** Holds `inner`; the caller has set that node's edges before. */
  constructor(host: AutogradHost, base: Tensor, view: Tensor, inner: Node, meta: TensorMeta) {
    super(host, "torch::autograd::CopySlices");
    this.base = geometryOf(base);
    this.view = geometryOf(view);
    inner.retain();
    this.inner = inner;
    this.results.push(meta);
  }

  override apply(grads: readonly (Tensor | null)[], needed: readonly boolean[]): (Tensor | null)[] {
    const grad = grads[0];
    const inner = this.inner;
    const outputs: (Tensor | null)[] = new Array(this.edges.length).fill(null);
    if (!grad || !inner) return outputs;
    const { host, base, view } = this;
    const result = host.own(() => {
      const r = host.ops.new_empty_strided(grad, base.sizes, base.strides, grad.dtype, grad.device) as Tensor;
      host.ops.copy_(r, grad);
      return r;
    }) as Tensor;
    const slice = host.own(() =>
      host.ops.as_strided(result, view.sizes, view.strides, view.offset - base.offset),
    ) as Tensor;
    const incoming = host.own(() => host.ops.clone(slice)) as Tensor;
    let inners: (Tensor | null)[] = [];
    try {
      inners = inner.apply([incoming], needed);
      for (let i = 0; i < inners.length; i++) {
        if (!needed[i]) continue;
        if (i === 0) {
          const part = inners[0];
          host.scope(() => void (part ? host.ops.copy_(slice, part) : host.ops.zero_(slice)));
          outputs[0] = result.retain();
        } else {
          outputs[i] = inners[i];
          inners[i] = null;
        }
      }
    } finally {
      for (const t of inners) t?.release();
      incoming.release();
      slice.release();
      result.release();
    }
    return outputs;
  }

  override releaseVariables(end: SavedEnd): void {
    this.inner?.releaseVariables(end);
  }

  override keptTensors(): [string, SavedTensor][] {
    return this.inner?.keptTensors() ?? [];
  }

  protected override dispose(): void {
    this.inner?.release();
    this.inner = null;
  }
}

/** Backward of a view that is described by geometry alone (AsStridedBackward, used to regenerate a view's grad_fn). */
export class ViewOfBase extends Node {
  private readonly base: Geometry;
  private readonly view: Geometry;

  constructor(host: AutogradHost, base: Tensor, view: Tensor, meta: TensorMeta) {
    super(host, "AsStridedBackward0");
    this.base = geometryOf(base);
    this.view = geometryOf(view);
    this.results.push(meta);
  }

  override apply(grads: readonly (Tensor | null)[]): (Tensor | null)[] {
    const grad = grads[0];
    if (!grad) return [null];
    const { host, base, view } = this;
    return [
      host.own(() => {
        const full = host.ops.new_zeros(grad, base.sizes) as Tensor;
        const part = host.ops.as_strided(full, view.sizes, view.strides, view.offset - base.offset) as Tensor;
        host.ops.copy_(part, grad);
        return full;
      }) as Tensor,
    ];
  }
}
