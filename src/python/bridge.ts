/**
 * The functions that the stand-in's Python calls, and the one Python function that the engine calls back.
 * Only numbers, booleans and strings cross: no JavaScript object is ever visible to a program, and no JavaScript
 * exception crosses either: an error returns as text that starts with "!".
 */

import type { PythonNode } from "../autograd/python-node.ts";
import type { HolderTable } from "../session/holders.ts";
import type { PassPolicy } from "../session/passes.ts";
import type { KeptResults } from "../session/selective.ts";
import type { Session } from "../session/session.ts";
import { TorchError } from "../tensor/shape.ts";
import { setAlarm } from "./alarms.ts";
import { callFunctions, encode } from "./bridge-calls.ts";
import { connectCallbacks } from "./bridge-callbacks.ts";
import { compiledFunctions } from "./bridge-compiled.ts";
import { graphFunctions } from "./bridge-graph.ts";
import { memoryFunctions } from "./bridge-memory.ts";
import { modeFunctions } from "./bridge-modes.ts";
import { passFunctions } from "./bridge-passes.ts";
import { rankFunctions, type RankLine } from "./bridge-ranks.ts";
import { subclassFunctions } from "./bridge-subclass.ts";
import { tensorFunctions } from "./bridge-tensors.ts";
import { traceFunctions } from "./bridge-trace.ts";
import { valueFunctions } from "./bridge-values.ts";
import { Handles } from "./handles.ts";
import { lookAtHolders } from "./holders.ts";
import { sleepFor } from "./virtual-time.ts";

/** Python's dispatcher: what to do, an object's id, tensor handles; returns handles. */
export type PythonDispatcher = (kind: string, id: number, handles: string) => string | number | undefined;

export type BridgeFunction = (...args: never[]) => unknown;

/** What the rooms of the bridge share. */
export interface BridgeState {
  readonly session: Session;
  readonly handles: Handles;
  /** Makes errors texts, and gives back what a call made. */
  readonly guard: <A extends unknown[], R>(f: (...args: A) => R) => (...args: A) => unknown;
  /** Nodes of custom functions that live, by their callback; not held. */
  readonly pythonNodes: Map<number, PythonNode>;
  /** Results that selective checkpointing keeps, by the number of their region. */
  readonly stores: Map<number, KeptResults>;
}

/** An error as text for Python: its class, a newline, its message. */
export function errorText(error: unknown): string {
  if (error instanceof TorchError) return `!${error.kind}\n${error.message}`;
  // no stack: it would tell a program where this one is installed
  if (error instanceof Error) return `!InternalError\n${error.message}`;
  return `!InternalError\n${String(error)}`;
}

export interface Bridge {
  readonly functions: Record<string, BridgeFunction>;
  connectPython(dispatcher: PythonDispatcher): void;
  /** The program is over. */
  end(): void;
  /** Who holds what is allocated, right after event `event`. */
  holders(event: number): HolderTable;
}

/** Functions by name for one session. */
export function createBridge(
  session: Session,
  opNames: readonly string[],
  passes: PassPolicy = "all",
  rankLine: RankLine | null = null,
): Bridge {
  const handles = new Handles();
  const { pool } = session;
  const state: BridgeState = {
    session,
    handles,
    pythonNodes: new Map(),
    stores: new Map(),
    guard:
      (f) =>
      (...args) => {
        const mark = pool.size;
        try {
          const result = encode(handles, f(...args));
          pool.release(mark);
          return result;
        } catch (error) {
          pool.release(mark);
          return errorText(error);
        }
      },
  };
  // set once the interpreter is up
  let python: PythonDispatcher = () => undefined;
  const callPython: PythonDispatcher = (kind, id, tensors) => python(kind, id, tensors);
  const ranks = rankFunctions(session, rankLine);

  return {
    functions: {
      slept: sleepFor,
      alarm: setAlarm,
      ...callFunctions(state, opNames),
      ...connectCallbacks(state, callPython),
      ...tensorFunctions(state),
      ...valueFunctions(state),
      ...traceFunctions(state),
      ...modeFunctions(state),
      ...compiledFunctions(state),
      ...graphFunctions(state),
      ...subclassFunctions(session, state.guard),
      ...ranks,
      ...memoryFunctions(session, handles.tensor),
      ...passFunctions(session, passes, { together: rankLine !== null, onLeft: ranks.rankLeftLoop }),
    },
    connectPython: (dispatcher) => {
      python = dispatcher;
    },
    end: () => void ranks.ranksTold(),
    holders: (event) => lookAtHolders({ session, handles, stores: state.stores, python: callPython }, event),
  };
}
