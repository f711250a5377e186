/** Sentences about who holds a block and how it went: chains of links become one phrase, the most direct holder first. */

import type { HolderChain } from "../explain/held-blocks.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { HolderLink, PythonStep } from "../session/holders.ts";
import type { Death } from "../trace/lifetime.ts";
import type { Trace } from "../trace/model.ts";

/** `file:line` of a frame, or an empty text. */
export function whereText(trace: Trace, frame: number): string {
  const entry = trace.frames[frame];
  return entry === undefined ? "" : `${entry.file}:${entry.line}`;
}

/** Steps without words of their own: the way through a traceback, and the cell around a variable. */
const SILENT = new Set(["next", "frame", "contents"]);

/** The steps after `start`, as Python would write them as far as it can: `x.layers[3]`, then phrases. */
function pathText(locale: Locale, start: string, steps: readonly PythonStep[]): string {
  const parts: string[] = [];
  let code = start;
  const flush = (): void => {
    if (code !== "") parts.push(`\`${code}\``);
    code = "";
  };
  for (const [kind, name = "", owner = ""] of steps) {
    if (SILENT.has(kind)) continue;
    if (kind === "attribute") code += code === "" ? String(name) : `.${name}`;
    else if (kind === "item" || kind === "key") code += `[${name}]`;
    else if (kind === "tensor_key") code += `[${name === "" ? "…" : name}]`;
    else {
      flush();
      if (kind === "local")
        parts.push(message(locale, "holder_frame", { name: String(name), function: String(owner) }));
      else if (kind === "closure" || kind === "default" || kind === "argument")
        parts.push(message(locale, `holder_${kind}_step`, { name: String(name) }));
      else if (kind === "inside") parts.push(message(locale, "holder_inside", { name: String(name) }));
      else parts.push(message(locale, kind === "key_itself" ? "holder_key" : "holder_element"));
    }
  }
  flush();
  return parts.join(" → ");
}

function pythonText(locale: Locale, [root, ...steps]: readonly PythonStep[]): string {
  const [kind, name = "", second = "", file = "", line = ""] = root ?? ["object"];
  switch (kind) {
    case "local":
    case "internal":
      return message(locale, "holder_local", {
        path: pathText(locale, String(name), steps),
        function: String(second),
        where: `${file}:${line}`,
      });
    case "global":
      return message(locale, "holder_global", { path: pathText(locale, String(name), steps), file: String(second) });
    case "argument":
      return message(locale, "holder_argument", {
        path: pathText(locale, String(name), steps),
        function: String(second),
      });
    case "exception":
    case "cycle":
    case "expression": {
      const path = pathText(locale, "", steps);
      return message(locale, `holder_${kind}`, { name: String(name), path: path === "" ? "" : ` → ${path}` });
    }
    default:
      return pathText(locale, String(name), steps);
  }
}

/** A context's way begins with how we keep it: what a program knows is `ctx`. */
function contextSteps(steps: readonly PythonStep[]): readonly PythonStep[] {
  const at = steps.findIndex(([kind, name]) => kind === "closure" && name === "ctx");
  return at === -1 ? steps : [["object", "ctx"], ...steps.slice(at + 1)];
}

/** `SoftmaxBackward0.result (net.py:42), saved in the graph of x in forward (net.py:49)`. */
export function chainText(locale: Locale, trace: Trace, chain: HolderChain): string {
  let holder = "";
  let before: HolderLink | null = null;
  for (const link of chain) {
    holder = linkText(locale, trace, link, before, holder);
    before = link;
  }
  return holder;
}

function linkText(locale: Locale, trace: Trace, link: HolderLink, before: HolderLink | null, holder: string): string {
  switch (link.kind) {
    case "python":
      if (before === null) return pythonText(locale, link.steps);
      return message(locale, "holder_through", {
        holder,
        path: pythonText(locale, before.kind === "context" ? contextSteps(link.steps) : link.steps),
      });
    case "running":
      if (link.phase === "backward") return message(locale, "holder_backward", { op: link.op ?? "" }).trim();
      return link.op === null ? message(locale, "holder_engine") : message(locale, "holder_running", { op: link.op });
    case "graph":
      return message(locale, "holder_graph", { holder });
    case "saved": {
      const args = { slot: `${shortName(link.node)}.${link.slot}`, where: whereText(trace, link.frame), holder };
      return message(locale, holder === "" ? "holder_saved_now" : "holder_saved", args);
    }
    case "grad":
    case "leaf":
      return message(locale, `holder_${link.kind}`, { holder });
    case "hook":
    case "packed":
    case "context":
      return message(locale, `holder_${link.kind}`, { holder, node: link.node === null ? "" : shortName(link.node) });
    default:
      return message(locale, `holder_${link.kind}`);
  }
}

/** `torch::autograd::AccumulateGrad` is known as AccumulateGrad. */
const shortName = (node: string): string => node.slice(node.lastIndexOf(":") + 1);

/** How a block went, or that it did not. */
export function deathText(locale: Locale, trace: Trace, death: Death): string {
  const op = trace.ops[trace.events.op[death.event] ?? -1] ?? "";
  // A recording may leave lines out, and ends before its program does.
  if (trace.source !== "simulated" && death.kind === "after") return message(locale, "death_unrecorded");
  if (trace.source !== "simulated" && death.kind === "end") return message(locale, "death_recording_end");
  return message(locale, `death_${death.kind}`, { where: whereText(trace, death.frame), op, node: death.node ?? "" });
}
