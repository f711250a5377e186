/** The playground's state as a link: the address follows it, a link that is opened is read, and one that was damaged is said. */

import { batch, computed, effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { htmlReport } from "../../../src/exports/html.ts";
import { DEFAULT_GPU, findGpu } from "../../../src/gpus/catalogue.ts";
import { DEFAULT_TORCH, findTorch } from "../../../src/torch/releases.ts";
import { commandText } from "../shell/command-text.ts";
import { Share, type SharedFile } from "../shell/share.tsx";
import { replaceQuery, route } from "../state/route.ts";
import { locale } from "../state/settings.ts";
import { readLink, writeLink, type SharedProgram } from "../state/share-link.ts";
import { shellWords } from "../words/index.ts";
import { EXAMPLES } from "./examples.ts";
import {
  argumentText,
  exampleId,
  files,
  finished,
  gpu,
  isStale,
  kernelTemporaries,
  scriptName,
  showExample,
  source,
  splitArguments,
  drop,
  torch,
} from "./program.ts";

type Trouble =
  | { readonly code: "link_truncated" | "link_altered" }
  | { readonly code: "link_unknown"; readonly name: string };
const trouble = signal<Trouble | null>(null);
/** The query that the page itself wrote last: it need not be read again. */
let written = "";
/** The event that a link pins, for the first run of what it holds: a link is anybody's, so only a click runs its program. */
let pinned = -1;
const WRITE_AFTER_MS = 400;

const shared = computed((): SharedProgram => {
  const done = finished.value;
  const event = done !== null && !isStale.value ? done.selection.event.value : pinned;
  return {
    name: scriptName.value,
    example: exampleId.value,
    source: source.value,
    args: argumentText.value,
    gpu: gpu.value,
    torch: torch.value,
    temporaries: kernelTemporaries.value,
    event,
  };
});

async function read(query: string): Promise<void> {
  if (query === "" || query === written) return;
  const link = await readLink(query);
  trouble.value = null;
  if (link.state === "none") return;
  if (link.state !== "whole") {
    trouble.value = { code: `link_${link.state}` };
    return;
  }
  const { program } = link;
  const example = EXAMPLES.find(({ id }) => id === program.example);
  if (program.example !== null && example === undefined) {
    trouble.value = { code: "link_unknown", name: program.example };
    return;
  }
  const [card, version] = [findGpu(program.gpu || DEFAULT_GPU), findTorch(program.torch || DEFAULT_TORCH)];
  const unknown = card.ok ? (version.ok ? null : program.torch) : program.gpu;
  if (!card.ok || !version.ok) {
    trouble.value = { code: "link_unknown", name: unknown! };
    return;
  }
  drop();
  pinned = program.event;
  batch(() => {
    if (example !== undefined) showExample(example);
    else {
      source.value = program.source;
      scriptName.value = program.name;
      files.value = {};
      exampleId.value = null;
      finished.value = null;
    }
    argumentText.value = program.args;
    gpu.value = card.value.id;
    torch.value = version.value;
    kernelTemporaries.value = program.temporaries;
  });
}

/** The first run after a link was opened shows the event that the link pins, unless it is another program by then. */
function showPinned(): void {
  const done = finished.value;
  if (done === null || pinned < 0) return;
  const event = pinned;
  pinned = -1;
  if (!isStale.peek() && event < done.result.trace.events.kind.length) done.selection.event.value = event;
}

/** Files that other people read, or a program with other files beside it, are not in a link. */
async function currentQuery(): Promise<string | null> {
  return Object.keys(files.value).length > 0 ? null : writeLink(shared.value);
}

/** Keeps address and program the same while the playground is shown. */
export function useLink(): void {
  useEffect(() => {
    const stopReading = effect(() => {
      const { page, query } = route.value;
      if (page === "playground") void read(query);
    });
    const stopPinning = effect(showPinned);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const stopWriting = effect(() => {
      void shared.value;
      clearTimeout(timer);
      // what is there at first stands in the address already, or is what anybody finds
      const isUntouched = finished.value?.isStored === true && !isStale.value && shared.value.event === -1;
      if (isFirst || isUntouched) {
        isFirst = false;
        return;
      }
      timer = setTimeout(async () => {
        const query = (await currentQuery()) ?? "";
        if (route.value.page !== "playground" || query === route.value.query || trouble.value !== null) return;
        written = query;
        replaceQuery(query);
      }, WRITE_AFTER_MS);
    });
    return () => {
      stopReading();
      stopPinning();
      stopWriting();
      clearTimeout(timer);
    };
  }, []);
}

/** Says that a link was damaged. Nothing takes the place of what was meant. */
export function LinkNote() {
  const what = trouble.value;
  if (what === null) return null;
  return (
    <p class="refused link-note" role="alert">
      {shellWords(what.code, "name" in what ? { name: what.name } : {})}{" "}
      <button
        type="button"
        class="quiet"
        onClick={() => {
          trouble.value = null;
          replaceQuery("");
        }}
      >
        {shellWords("link_dismiss")}
      </button>
    </p>
  );
}

const command = computed(() =>
  commandText([
    "vramscope",
    "run",
    ...(gpu.value === DEFAULT_GPU ? [] : ["--gpu", gpu.value]),
    ...(torch.value === DEFAULT_TORCH ? [] : ["--torch", torch.value]),
    ...(kernelTemporaries.value ? [] : ["--kernel-temporaries", "off"]),
    exampleId.value === null ? scriptName.value : `examples/${scriptName.value}`,
    ...(argumentText.value.trim() === "" ? [] : ["--", ...splitArguments(argumentText.value)]),
  ]),
);

export function SharePlayground() {
  const done = finished.value;
  const report: SharedFile[] =
    done === null || isStale.value
      ? []
      : [
          {
            label: shellWords("share_report"),
            name: `${scriptName.value.replace(/\.py$/, "")}.html`,
            make: () => {
              const { facts, result, options } = done;
              const lines = options.source.split("\n");
              const sourceOf = (file: string) => (file === options.script ? lines : undefined);
              return [...htmlReport.write(result.trace, { locale: locale.value, facts, sourceOf })].join("");
            },
          },
        ];
  return (
    <Share
      page="playground"
      query={currentQuery}
      command={command.value}
      files={[{ label: shellWords("share_program"), name: scriptName.value, make: () => source.value }, ...report]}
    />
  );
}
