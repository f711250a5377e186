/** What loops of the program ask of the engine: whether their passes repeat, and what is said when one is left. */

import { ENOUGH, GROWS, PassWatch, WANDERS, type PassPolicy } from "../session/passes.ts";
import type { Session } from "../session/session.ts";

// oxlint-disable-next-line typescript/no-explicit-any
type Functions = Record<string, (...args: any[]) => unknown>;

/** The sentence about a loop that was left; `total`: how many passes there would be, or -1; `bytes`: what each one adds; `isFull`: whether those would fill the device. */
function sentence(answer: number, policy: PassPolicy, total: number, bytes: number, isFull: boolean): string {
  const open = total < 0 ? "_open" : "";
  if (answer === ENOUGH) return policy === "auto" ? `loop_differs${open}` : `loop_cut${open}`;
  if (answer === WANDERS) return `loop_wanders${open}`;
  if (answer !== GROWS && bytes === 0) return `loop_repeats${open}`;
  return total >= 0 && !isFull ? "loop_grows_within" : `loop_grows${open}`;
}

/** Ranks that run together: each decides for itself when to leave a loop. */
export interface LeavingRanks {
  readonly together: boolean;
  readonly onLeft: () => void;
}

/** Ranks whose passes differ a little leave a loop after the same one, if they only leave it after some. */
const LEAVE_AT = 8;

/** A loop that goes on while a value on the GPU says so is rarely longer: a solver takes a few steps, or some dozens. */
const MOST_GUESSED = 100;

export function passFunctions(session: Session, policy: PassPolicy, { together, onLeft }: LeavingRanks): Functions {
  const watch = new PassWatch(session, policy, together ? LEAVE_AT : 1);
  const { trace } = session;
  const frameAt = (file: unknown, line: unknown, name: unknown): number =>
    trace.frame(-1, String(file), Number(line), String(name));
  return {
    loopEnter: (loop: number, collects: boolean, accumulates: boolean, total: number) =>
      watch.enter(loop, collects, accumulates, Number(total)),
    loopPass: (id: number) => watch.pass(id),
    loopLeave: (id: number) => watch.leave(id),
    loopGrowth: (id: number) => watch.growthBytes(id),
    loopClimbs: (id: number) => watch.climbs(id),
    loopTried: (file: string, line: number, name: string, pass: number, lines: string) =>
      trace.assumption("loop_tried", { pass: Number(pass), lines: String(lines) }, frameAt(file, line, name)),
    loopFilled: (file: string, line: number, name: string, lists: string) =>
      trace.assumption("loop_filled", { lists: String(lists) }, frameAt(file, line, name)),
    loopHeld: () => session.memory.allocator.memoryAllocated(),
    /** A loop of which nobody knows whether it goes on was left after some passes; `held`: what was allocated before them. */
    loopGuessed: (file: string, line: number, name: string, passes: number, held: number) => {
      const now = session.memory.allocator.memoryAllocated();
      const passBytes = Math.floor((now - held) / passes);
      if (passBytes <= 0) trace.assumption("loop_guessed", { passes: Number(passes) }, frameAt(file, line, name));
      else {
        const last = passes + Math.ceil((session.gpu.totalBytes - now) / passBytes);
        const restBytes = passBytes * (MOST_GUESSED - passes);
        trace.assumption(
          "loop_grows_guessed",
          { passes: Number(passes), passBytes, last, restBytes },
          frameAt(file, line, name),
        );
      }
    },
    loopLeft: (
      answer: number,
      file: string,
      line: number,
      name: string,
      done: number,
      total: number,
      unrun: string,
      bytes: number,
      keepers: string = "",
      climbs: boolean = false,
    ) => {
      const frame = frameAt(file, line, name);
      onLeft();
      const room = session.gpu.totalBytes - session.memory.allocator.memoryAllocated();
      const last = bytes > 0 ? done + Math.ceil(room / bytes) : 0;
      const args = {
        done: Number(done),
        next: Number(done) + 1,
        ...(total < 0 ? {} : { total: Number(total) }),
        ...(climbs ? { climbs: 1 } : {}),
        ...(bytes > 0 ? { passBytes: Number(bytes), last } : {}),
        ...(bytes > 0 && total >= 0 ? { restBytes: Math.max(0, total - done) * bytes } : {}),
      };
      trace.assumption(sentence(answer, policy, total, bytes, last <= total), args, frame);
      if (keepers !== "") trace.assumption("loop_kept_by", { keepers: String(keepers) }, frame);
      if (unrun !== "") trace.assumption("loop_unrun_lines", { lines: String(unrun) }, frame);
    },
  };
}
