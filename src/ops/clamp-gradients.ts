/** Gradients of clamping between two bounds, either of which may be missing (FunctionsManual.cpp: clamp_backward and its kin). */

import type { Tensor } from "../tensor/tensor.ts";
import type { BackwardContext } from "./row.ts";

/** Which comparisons let a value through: a bound itself passes nothing since ties share, before it passed all. */
const passing = ({ rules }: BackwardContext): { above: "gt" | "ge"; below: "lt" | "le" } =>
  rules.tiesShareGradients ? { above: "gt", below: "lt" } : { above: "ge", below: "le" };

const zeroLike = ({ grad, ops: o }: BackwardContext): Tensor => o.scalar_tensor(0, grad.dtype, grad.device);

/** Half the gradient where `tie` holds, nothing where `lost` holds, all of it elsewhere. */
export function sharedGradient(c: BackwardContext, tie: () => Tensor, lost: () => Tensor): Tensor {
  const { grad, ops: o } = c;
  return c.statement(() => {
    // newer versions pass the mask to a function, whose arguments are made from the last to the first
    const away = c.rules.tiesShareGradients ? lost() : null;
    const half = o.div(grad, 2);
    const shared = o.where_self(tie(), half, grad);
    return o.masked_fill_(shared, away ?? lost(), 0);
  });
}

/** Of the input: passes where the bounds leave the value alone. */
export function clampBackward(c: BackwardContext): Tensor {
  const { grad, saved, args, ops: o, rules } = c;
  const { self } = saved;
  const min = saved.min ?? args.min;
  const max = saved.max ?? args.max;
  if (!min && !max) return grad;
  if (rules.tiesShareGradients && (saved.min || saved.max)) {
    if (!max)
      return sharedGradient(
        c,
        () => o.eq(self, min),
        () => o.lt(self, min),
      );
    if (!min)
      return sharedGradient(
        c,
        () => o.eq(self, max),
        () => o.gt(self, max),
      );
    const within = o.lt(min, max);
    const tied = c.statement(() => {
      const above = o.eq(self, max);
      return o.logical_and(o.logical_or(o.eq(self, min), above), within);
    });
    const outside = c.statement(() => {
      const above = o.lt(self, min);
      return o.logical_or(o.gt(self, max), above);
    });
    return c.statement(() => {
      const half = o.div(grad, 2);
      return o.masked_fill_(o.where_self(tied, half, grad), outside, 0);
    });
  }
  const { above, below } = passing(c);
  const zero = zeroLike(c);
  if (min && max) return o.where_self(o.logical_and_(o[above](self, min), o[below](self, max)), grad, zero);
  return o.where_self(min ? o[above](self, min) : o[below](self, max), grad, zero);
}

/** Of both bounds together, as far as they are tensors that need a gradient. */
export function clampBoundsBackward(c: BackwardContext): (Tensor | null)[] {
  const { saved, needs, ops: o } = c;
  const { self, min, max } = saved;
  if (!c.rules.tiesShareGradients) return plainBounds(c);
  if (!max)
    return [
      sharedGradient(
        c,
        () => o.eq(self, min),
        () => o.gt(self, min),
      ),
      null,
    ];
  if (!min)
    return [
      null,
      sharedGradient(
        c,
        () => o.eq(self, max),
        () => o.lt(self, max),
      ),
    ];
  const crossed = o.lt(max, min);
  const same = o.eq(min, max);
  const toMin = needs.min ? boundGradient(c, self, min, crossed, same, true) : null;
  const toMax = needs.max ? boundGradient(c, self, max, crossed, same, false) : null;
  return [toMin, toMax];
}

/** One bound's share when both are there: all of it where it wins, half where it ties. */
function boundGradient(
  c: BackwardContext,
  self: Tensor,
  bound: Tensor,
  crossed: Tensor,
  same: Tensor,
  lower: boolean,
): Tensor {
  const { grad, ops: o } = c;
  return c.statement(() => {
    const apart = lower ? null : o.lt(c.saved.min, bound);
    const wins = c.statement(() => {
      const near = lower ? o.le(self, bound) : o.ge(self, bound);
      const inside = o.logical_and(near, same);
      const first = lower ? inside : o.logical_or(crossed, inside);
      return o.logical_or(first, o.logical_and(lower ? o.lt(self, bound) : o.gt(self, bound), lower ? same : crossed));
    });
    const loses = o.logical_not(wins);
    const half = o.div(grad, 2);
    const tie = o.eq(self, bound);
    const share = apart ? o.logical_and(tie, apart) : tie;
    return o.masked_fill_(o.where_self(share, half, grad), loses, 0);
  });
}

function plainBounds(c: BackwardContext): (Tensor | null)[] {
  const { grad, saved, needs, ops: o } = c;
  const { self, min, max } = saved;
  const zero = zeroLike(c);
  const toMin = (): Tensor => {
    const below = o.lt(self, min);
    return o.where_self(max ? o.logical_and_(below, o.lt(min, max)) : below, grad, zero);
  };
  const toMax = (): Tensor => {
    const above = o.gt(self, max);
    return o.where_self(min ? o.logical_or_(above, o.lt(max, min)) : above, grad, zero);
  };
  return [min && needs.min ? c.statement(toMin) : null, max && needs.max ? c.statement(toMax) : null];
}

/** Of the input of `clamp_min` and `clamp_max`. */
export function boundedGradient(c: BackwardContext, side: "min" | "max"): Tensor {
  const { grad, saved, args, ops: o } = c;
  const bound = saved[side];
  if (!bound || !c.rules.tiesShareGradients) {
    const { above, below } = passing(c);
    const zero = zeroLike(c);
    return o.where_self(o[side === "min" ? above : below](saved.self, bound ?? args[side]), grad, zero);
  }
  return sharedGradient(
    c,
    () => o.eq(saved.self, bound),
    () => o[side === "min" ? "lt" : "gt"](saved.self, bound),
  );
}

/** Of their bound. */
export function boundGradientOf(c: BackwardContext, side: "min" | "max"): Tensor {
  const { grad, saved, ops: o } = c;
  const bound = saved[side];
  if (!c.rules.tiesShareGradients) {
    const zero = zeroLike(c);
    return o.where_self(o[side === "min" ? "ge" : "le"](saved.self, bound), zero, grad);
  }
  return sharedGradient(
    c,
    () => o.eq(saved.self, bound),
    () => o[side === "min" ? "gt" : "lt"](saved.self, bound),
  );
}
