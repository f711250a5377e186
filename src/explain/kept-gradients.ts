/** Gradients that outlive the next step: `zero_grad` filled them with zeros, or nobody let them go. */

import { PHASE } from "../trace/codes.ts";
import type { Trace } from "../trace/model.ts";
import type { Finding } from "./finding.ts";
import { blocksWhere, findingOf, isNotable, mostTogether } from "./together.ts";

const OPTIMIZER = PHASE.optimizer;
const BACKWARD = PHASE.backward;

/** A run of events of an optimizer, with how many runs of backward came before it. */
interface Step {
  readonly event: number;
  readonly frame: number;
  readonly backwards: number;
}

function stepsOf({ events }: Trace): Step[] {
  const steps: Step[] = [];
  let backwards = 0;
  let before = -1;
  const { phase, frame } = events;
  for (let event = 0; event < phase.length; event++) {
    if (phase[event] !== before) {
      if (phase[event] === BACKWARD) backwards += 1;
      else if (phase[event] === OPTIMIZER) steps.push({ event, frame: frame[event]!, backwards });
    }
    before = phase[event]!;
  }
  return steps;
}

export function keptGradients(trace: Trace): Finding[] {
  const steps = stepsOf(trace);
  if (steps.length < 2) return [];
  /** By step: the next one at the same line after another backward, or null. */
  const next = steps.map((step, at) => {
    for (let later = at + 1; later < steps.length; later++) {
      const { frame, backwards } = steps[later]!;
      if (frame === step.frame && backwards > step.backwards) return steps[later]!;
    }
    return null;
  });
  const kept = blocksWhere(trace, ({ category, allocEvent, freeEvent }) => {
    if (category !== "gradient") return false;
    const at = firstAfter(steps, allocEvent);
    const again = at === -1 ? null : next[at]!;
    return again !== null && (freeEvent === -1 || freeEvent > again.event);
  });
  const together = mostTogether(trace, kept);
  return together === null || !isNotable(trace, together.bytes) ? [] : [findingOf(trace, "kept_gradients", together)];
}

function firstAfter(steps: readonly Step[], event: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle]!.event > event) high = middle;
    else low = middle + 1;
  }
  return low === steps.length ? -1 : low;
}
