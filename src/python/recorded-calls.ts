/**
 * What packages ask of the engine while they are imported, written down: a restored interpreter holds the tensors that they made by
 * number, and its new engine knows them once it has been asked for the same.
 */

import { invariant } from "../base/invariant.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Bridge, BridgeFunction } from "./bridge.ts";

type AnyFunction = (...args: unknown[]) => unknown;
/** A value as JSON has it: a number that JSON has not is a list of its text, bytes a list of their numbers behind a name. */
type Written = string | number | boolean | null | readonly [string] | readonly ["bytes", ...number[]];
type Call = readonly [name: string, result: Written, ...args: Written[]];

/** What asks for more while it is imported is imported by the program itself. */
const MOST_CALLS = 100_000;

/** What reaches beyond the engine: ranks, the clock, loops of a program, functions of Python. */
const NOT_BEFORE_PROGRAMS: ReadonlySet<string> = new Set(
  "slept alarm reached backward pythonFunction addHook addPostAccumulateHook setSavedHooks ranksTogether ranksAlike rankLeftLoop ranksTold collective meet post take store communicator loopEnter loopPass loopLeave loopGrowth loopClimbs loopTried loopFilled loopLeft".split(
    " ",
  ),
);

/** What is answered by the GPU that a run has. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set(
  "memoryAllocated maxMemoryAllocated memoryReserved maxMemoryReserved memoryStats memorySummary memoryHistory memGetInfo setMemoryFraction deviceName deviceCount deviceProperties touchDevice".split(
    " ",
  ),
);

function write(value: unknown): Written {
  if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0)))
    return [Object.is(value, -0) ? "-0" : String(value)];
  if (value instanceof Uint8Array) return ["bytes", ...value];
  return (value ?? null) as Written;
}

function read(value: Written): unknown {
  if (!Array.isArray(value)) return value ?? undefined;
  const [kind, ...bytes] = value as readonly [string, ...number[]];
  return kind === "bytes" ? Uint8Array.from(bytes) : Number(kind);
}

export interface RecordedCalls {
  readonly functions: Record<string, BridgeFunction>;
  /** What {@link repeatCalls} takes; null where not everything can be repeated. */
  text(): string | null;
  /** Whether the GPU was asked for. */
  askedMachine(): boolean;
}

/** An engine's functions that write down what they are called with. */
export function recordCalls(bridge: Bridge): RecordedCalls {
  const calls: Call[] = [];
  let askedMachine = false;
  let canRepeat = true;
  bridge.connectPython(() => {
    canRepeat = false;
    throw new TorchError("no function of Python is called before a program runs");
  });
  const recorded =
    (name: string, call: AnyFunction): AnyFunction =>
    (...args) => {
      if (NOT_BEFORE_PROGRAMS.has(name)) throw new TorchError(`${name} is not there before a program runs`);
      if (calls.length >= MOST_CALLS) canRepeat = false;
      askedMachine ||= OF_THE_MACHINE.has(name);
      const result = call(...args);
      if (canRepeat) calls.push([name, write(result), ...args.map(write)]);
      return result;
    };
  return {
    functions: Object.fromEntries(
      Object.entries(bridge.functions).map(([name, call]) => [name, recorded(name, call as AnyFunction)]),
    ),
    text: () => (canRepeat ? JSON.stringify(calls) : null),
    askedMachine: () => askedMachine,
  };
}

/** Makes the calls that were written down, so that an engine knows what it knew then. */
export function repeatCalls(functions: Record<string, BridgeFunction>, text: string): void {
  for (const [name, result, ...args] of JSON.parse(text) as Call[]) {
    invariant(Object.hasOwn(functions, name), `a kept interpreter asks for ${name}`);
    const answer = write((functions[name] as AnyFunction)(...args.map(read)));
    invariant(
      JSON.stringify(answer) === JSON.stringify(result),
      `a kept interpreter was given ${JSON.stringify(result)} by ${name}, now ${JSON.stringify(answer)}`,
    );
  }
}
