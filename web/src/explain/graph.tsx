/** The program's structure: its modules with what they hold, and the autograd graph of its first backward as a picture. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatBytes } from "../../../src/base/bytes.ts";
import type { AutogradGraph } from "../../../src/autograd/graph-view.ts";
import { graphSvg } from "../../../src/exports/graph-svg.ts";
import type { Trace } from "../../../src/trace/model.ts";
import { moduleTree, type ModuleNode } from "./module-tree.ts";
import { explainWords as t } from "./words.ts";
import "./graph.css";

/** More than this is no picture that anybody reads. */
const MOST_NODES = 400;

export interface GraphProps {
  readonly trace: Trace;
  readonly event: number;
  /** Runs the program once more to look at the graph; null where there is no program to run. */
  readonly onRecord: (() => Promise<AutogradGraph | null>) | null;
}

export function Graph({ trace, event, onRecord }: GraphProps) {
  const roots = moduleTree(trace, event);
  const most = Math.max(1, ...roots.map(({ bytes }) => bytes));
  return (
    <div class="graph">
      {roots.length > 0 && (
        <section>
          <h3>{t("modules_title")}</h3>
          <ul class="module-tree">
            {roots.map((node) => (
              <Branch key={node.path} node={node} most={most} depth={0} />
            ))}
          </ul>
        </section>
      )}
      {onRecord !== null && <Picture trace={trace} onRecord={onRecord} />}
    </div>
  );
}

function Branch({ node, most, depth }: { readonly node: ModuleNode; readonly most: number; readonly depth: number }) {
  const line = (
    <>
      <span class="module-name">{node.name}</span>
      <span class="module-bar" aria-hidden="true">
        <i style={{ width: `${(node.bytes / most) * 100}%` }} />
      </span>
      <span class="num" title={t("module_title", { bytes: node.parameterBytes, count: node.blocks })}>
        {formatBytes(node.bytes)}
      </span>
    </>
  );
  if (node.children.length === 0) return <li class="module-line">{line}</li>;
  return (
    <li>
      <details open={depth < 1}>
        <summary class="module-line">{line}</summary>
        <ul>
          {node.children.map((child) => (
            <Branch key={child.path} node={child} most={most} depth={depth + 1} />
          ))}
        </ul>
      </details>
    </li>
  );
}

function Picture({
  trace,
  onRecord,
}: {
  readonly trace: Trace;
  readonly onRecord: NonNullable<GraphProps["onRecord"]>;
}) {
  const state = useSignal<"asked" | "none" | null>(null);
  const picture = useSignal<{ readonly url: string; readonly count: number; readonly left: number } | null>(null);
  useEffect(
    () => () => {
      if (picture.peek() !== null) URL.revokeObjectURL(picture.peek()!.url);
    },
    [],
  );
  const draw = async (): Promise<void> => {
    state.value = "asked";
    const graph = await onRecord();
    state.value = graph === null || graph.nodes.length === 0 ? "none" : null;
    if (graph === null || graph.nodes.length === 0) return;
    const shown = firstNodes(graph);
    const svg = [...graphSvg.write(trace, { graph: shown })].join("");
    picture.value = {
      url: URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })),
      count: graph.nodes.length + graph.leftOut,
      left: graph.nodes.length + graph.leftOut - shown.nodes.length,
    };
  };
  const made = picture.value;
  return (
    <section>
      <h3>{t("graph_title")}</h3>
      {made === null && state.value !== "asked" && (
        <button type="button" onClick={() => void draw()}>
          {t("graph_draw")}
        </button>
      )}
      {state.value === "asked" && <p role="status">{t("graph_running")}</p>}
      {state.value === "none" && <p class="soft">{t("graph_none")}</p>}
      {made !== null && (
        <>
          {made.left > 0 && (
            <p class="soft">{t("graph_large", { count: made.count, shown: made.count - made.left })}</p>
          )}
          <div class="picture" tabIndex={0} role="region" aria-label={t("graph_label")}>
            <img
              src={made.url}
              alt={t("graph_label")}
              onLoad={({ currentTarget: { parentElement: box } }) => {
                // the roots stand in the middle of the first row
                if (box !== null) box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
              }}
            />
          </div>
        </>
      )}
    </section>
  );
}

/** The nodes nearest to the roots, with the edges between them; nodes are in breadth-first order. */
function firstNodes(graph: AutogradGraph): AutogradGraph {
  if (graph.nodes.length <= MOST_NODES) return graph;
  const nodes = graph.nodes
    .slice(0, MOST_NODES)
    .map((node) => ({ ...node, next: node.next.filter((index) => index < MOST_NODES) }));
  return { ...graph, nodes, roots: graph.roots.filter((index) => index < MOST_NODES) };
}
