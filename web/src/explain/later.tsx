/** Panels that few open: their code is fetched when they are first shown, so that the first answer need not wait for it. */

import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { shellWords } from "../words/index.ts";

export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded = signal<{ readonly panel: ComponentType<Props> } | null>(null);
  return (props: Props) => {
    useEffect(() => {
      if (loaded.peek() === null) void load().then((panel) => (loaded.value = { panel }));
    }, []);
    const Panel = loaded.value?.panel;
    return Panel === undefined ? <p role="status">{shellWords("page_loading")}</p> : <Panel {...props} />;
  };
}

export const SaveAs = later(async () => (await import("./save-as.tsx")).SaveAs);
export const Graph = later(async () => (await import("./graph.tsx")).Graph);
