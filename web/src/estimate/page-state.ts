/** What the page holds: inputs, the model they mean, and the address, kept in step with each other. */

import { computed, signal } from "@preact/signals";
import { type Diagnostic } from "../../../src/base/diagnostic.ts";
import { UsageError } from "../../../src/cli/usage-error.ts";
import { ENGINES } from "../../../src/serving/engines.ts";
import { longestSequence } from "../../../src/estimate/index.ts";
import { ModelFileError } from "../../../src/formats/model-file-error.ts";
import { findCapacity, type Capacity } from "../../../src/gpus/capacity.ts";
import { findGpu, GPUS, type GpuRow } from "../../../src/gpus/catalogue.ts";
import { replaceQuery, route } from "../state/route.ts";
import { readDropped } from "./dropped-files.ts";
import { askedOf, FIRST_INPUTS, modeOf, withOption, type Asked, type Inputs } from "./inputs.ts";
import { servedOn } from "./serving.ts";
import { pack, unpack } from "../state/packed-text.ts";
import { seal, unseal } from "../state/sealed-query.ts";
import { diagnosticOf, filesModel, givenModel, publishedModel, type PageModel } from "./page-model.ts";
import { readQuery, writeQuery } from "./query.ts";

/** As last confirmed: what is simulated. */
export const inputs = signal<Inputs>(FIRST_INPUTS);
/** While a slider is dragged: what is shown, about. */
export const draft = signal<Inputs | null>(null);
export const shownInputs = computed(() => draft.value ?? inputs.value);

export type Loaded = { readonly model: PageModel } | { readonly problem: Diagnostic };
const ownModel = signal<Loaded | null>(null);
/** Other inputs leave the model as it is. */
const modelName = computed(() => inputs.value.model);
/** The model, or why there is none. */
export const loaded = computed<Loaded>(() => {
  if (ownModel.value !== null) return ownModel.value;
  const found = publishedModel(modelName.value);
  return "code" in found ? { problem: found } : { model: found };
});
export const model = computed<PageModel | null>(() => ("model" in loaded.value ? loaded.value.model : null));
export const longest = computed(() => {
  const config = model.value?.config;
  return config == null ? null : longestSequence(config);
});

export type AskedNow = { readonly asked: Asked } | { readonly problem: Diagnostic } | null;

export function askedBy(entered: Inputs): AskedNow {
  const config = model.value?.config;
  if (config == null || !["infer", "train"].includes(modeOf(entered))) return null;
  try {
    return { asked: askedOf(entered, config) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { problem: { code: error.code, args: error.args } };
  }
}
/** What is to be simulated; null: an engine's rules, or no model. */
export const asked = computed(() => askedBy(inputs.value));
/** The same of what is shown, which is ahead while a slider is dragged. */
export const askedShown = computed(() => askedBy(shownInputs.value));

/** Whether a card, also one with other memory than the list says, is one of those that are simulated. */
export const isListed = (id: string): boolean => GPUS.some((gpu) => gpu.id === id.split("@")[0]);

/** The chosen cards that can be simulated, and all of them. */
export const cards = computed<readonly Capacity[]>(() =>
  inputs.value.gpus.flatMap((id) => {
    const found = findCapacity(id);
    return found.ok ? [found.value] : [];
  }),
);
export const simulated = computed<readonly GpuRow[]>(() =>
  inputs.value.gpus.flatMap((id) => {
    const found = findGpu(id);
    return found.ok && isListed(id) ? [found.value] : [];
  }),
);

/** Configurations that are too long for a link, and files, are not in it. */
export const linkIsWhole = signal(true);
let packed: string | null = null;
let written = "";

function writeAddress(): void {
  written = writeQuery(inputs.value, packed);
  if (route.value.page === "estimate" && route.value.query !== written) replaceQuery(written);
}

/** The link of what is shown; null where a configuration is too long for one, or came from files. */
export const shareQuery = async (): Promise<string | null> =>
  linkIsWhole.value ? seal(writeQuery(inputs.value, packed)) : null;

/** Confirms inputs: they are simulated, and the address says them. */
export function setInputs(next: Inputs): void {
  if (next.model !== inputs.value.model && next.configText === null) {
    ownModel.value = null;
    packed = null;
    linkIsWhole.value = true;
  }
  draft.value = null;
  inputs.value = next;
  writeAddress();
}

/** Follows the address, when it was not written by the page itself. */
export async function followAddress(query: string): Promise<void> {
  if (query === written) return;
  written = query;
  const link = unseal(query);
  if (link.seal === "truncated" || link.seal === "altered") {
    // what is left of a link must not pass for the whole
    ownModel.value = { problem: { code: "estimate_link_cut", args: {} } };
    return;
  }
  const read = readQuery(link.query);
  if (read.packed === null) {
    ownModel.value = null;
    packed = null;
    draft.value = null;
    inputs.value = read.inputs;
    linkIsWhole.value = true;
    writeAddress();
    return;
  }
  const text = await unpack(read.packed);
  if (written !== query) return;
  packed = read.packed;
  ownModel.value =
    text === null
      ? { problem: { code: "estimate_link_cut", args: {} } }
      : asLoaded(givenModel(read.inputs.model, text));
  draft.value = null;
  inputs.value = { ...read.inputs, configText: text };
}

const asLoaded = (found: PageModel | Diagnostic): Loaded => ("code" in found ? { problem: found } : { model: found });

/** A configuration as text: pasted, or from a file. */
export async function giveConfig(name: string, text: string): Promise<void> {
  ownModel.value = asLoaded(givenModel(name, text));
  packed = "model" in ownModel.value ? await pack(ownModel.value.model.text!) : null;
  linkIsWhole.value = packed !== null || !("model" in ownModel.value);
  setInputs({ ...inputs.value, model: name, configText: text });
}

/** Files of a model, dropped or chosen. */
export async function giveFiles(files: readonly File[]): Promise<void> {
  const [first] = files;
  if (first === undefined) return;
  const name = first.webkitRelativePath.split("/")[0] || first.name;
  try {
    const found = await readDropped(files);
    if (found.kind === "config" && found.config !== null) {
      await giveConfig(name, JSON.stringify(found.config));
      return;
    }
    const pageModel = filesModel(name, found);
    ownModel.value = { model: pageModel };
    packed = null;
    linkIsWhole.value = false;
    setInputs(withEngineFor(pageModel, { ...inputs.value, model: name, configText: "" }));
  } catch (error) {
    const problem =
      error instanceof ModelFileError
        ? diagnosticOf(error, name)
        : { code: "cannot_read", args: { path: name, reason: error instanceof Error ? error.message : String(error) } };
    ownModel.value = { problem };
    setInputs({ ...inputs.value, model: name, configText: "" });
  }
}

/** Without a configuration nothing can be simulated; an engine that reads such files can still tell what it makes of them. */
function withEngineFor(pageModel: PageModel, entered: Inputs): Inputs {
  const card = cards.value[0];
  if (pageModel.config !== null || card === undefined) return entered;
  const serves = (engine: string): boolean => servedOn(pageModel, withOption(entered, "engine", engine), card).ok;
  const chosen = entered.chosen["engine"];
  if (chosen !== undefined && serves(chosen)) return entered;
  const plain = ["quant", "kv-cache"].reduce((made, name) => withOption(made, name, null), entered);
  const found = ENGINES.find(({ id }) => servedOn(pageModel, withOption(plain, "engine", id), card).ok);
  return found === undefined ? entered : withOption(withOption(plain, "task", null), "engine", found.id);
}
