/** Looks up who holds what at the running moment: asks Python for its ways to tensors, and follows the engine's own links. */

import type { Node } from "../autograd/node.ts";
import { findHolders, type HolderTable, type PythonStep, type PythonWays } from "../session/holders.ts";
import type { KeptResults } from "../session/selective.ts";
import type { Session } from "../session/session.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { PythonDispatcher } from "./bridge.ts";
import type { Handles } from "./handles.ts";

type WaysText = readonly (readonly [handle: number, ways: readonly (readonly PythonStep[])[]])[];
type NodesText = readonly (readonly [node: number, way: readonly PythonStep[]])[];

/** What the walk in Python returns. */
interface WalkText {
  readonly tensors: WaysText;
  readonly nodes: NodesText;
  readonly objects: readonly (readonly [object: number, tensors: WaysText, nodes: NodesText])[];
}

/** A way as Python would write it, where it can: `model.layers[3].weight`; else nothing. */
function plainPath(way: readonly PythonStep[]): string {
  let text = "";
  for (const [kind, name] of way) {
    if (kind === "local" || kind === "global") {
      if (text !== "") return "";
      text = String(name);
    } else if (kind === "attribute") text += `.${name}`;
    else if (kind === "item" || kind === "key") text += `[${name}]`;
    else return "";
  }
  return text;
}

export interface HolderLookup {
  readonly session: Session;
  readonly handles: Handles;
  readonly stores: ReadonlyMap<number, KeptResults>;
  readonly python: PythonDispatcher;
}

/** Holders of every block that is alive after event `event`, the one that was just recorded. */
export function lookAtHolders({ session, handles, stores, python }: HolderLookup, event: number): HolderTable {
  const text = python("holders", 0, "");
  if (typeof text !== "string" || text.startsWith("!"))
    throw new Error(`the walk over Python's objects failed: ${String(text)}`);
  const found = JSON.parse(text) as WalkText;
  const known = <T>(find: (id: number) => T, id: number): T[] => {
    try {
      return [find(id)];
    } catch {
      // a wrapper whose tensor is being given back this moment
      return [];
    }
  };
  const named = new Map(found.tensors.map(([handle, list]) => [handle, list[0] ?? []]));
  const readable = (way: readonly PythonStep[]): PythonStep[] =>
    way.map((step) => (step[0] === "tensor_key" ? ["tensor_key", plainPath(named.get(Number(step[1])) ?? [])] : step));
  const ways = (tensors: WaysText, nodes: NodesText): PythonWays => ({
    tensors: tensors.flatMap(([handle, list]) =>
      known<Tensor>(handles.tensor, handle).map((t) => [t, list.map(readable)] as const),
    ),
    nodes: nodes.flatMap(([id, way]) =>
      known<Node>((n) => handles.node(n), id).map((n) => [n, readable(way)] as const),
    ),
  });
  const { place, trace } = session;
  return findHolders(trace.aliveBlocks(), {
    python: ways(found.tensors, found.nodes),
    objects: new Map(found.objects.map(([id, tensors, nodes]) => [id, ways(tensors, nodes)])),
    pool: session.pool.tensors,
    autocast: session.autocast.cachedCopies,
    selective: [...stores.values()].flatMap((store) => store.tensors),
    workspaces: session.workspaces.blocks,
    running: { op: trace.opName(place.op), phase: place.phase },
    event,
  });
}
