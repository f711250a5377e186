/** `vramscope models`: fetches what a hub says about a model (its configuration, its vocabulary, never its weights) into the cache. */

import { formatBytes } from "../base/bytes.ts";
import { message } from "../i18n/index.ts";
import { DEFAULT_HUB, fetchModel, isModelId } from "../packages/hub-client.ts";
import { valueOf, type Command, type CommandContext } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { addedModels, addModel, modelFolder, removeModel } from "./model-store.ts";
import { proxiedFetch } from "./proxied-fetch.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = "[list | add | remove] [ID...]";

export const modelsCommand: Command = {
  name: "models",
  summary: "command_models",
  usage: USAGE,
  arguments: [
    { name: "list | add | remove", summary: "argument_packages" },
    { name: "ID", summary: "argument_models_id" },
  ],
  options: [
    { name: "revision", value: "NAME", summary: "option_models_revision" },
    { name: "hub", value: "URL", summary: "option_models_hub", summaryArgs: { hub: DEFAULT_HUB } },
  ],
  examples: [
    { line: "vramscope models add Kwai-Keye/Keye-VL-1_5-8B", summary: "example_models_add" },
    { line: "HF_TOKEN=... vramscope models add google/gemma-3-4b-it", summary: "example_models_token" },
  ],
  run,
};

async function run(context: CommandContext): Promise<ExitCode> {
  const { parsed, io } = context;
  const [what = "list", ...ids] = parsed.positionals;
  const folder = modelFolder(io);
  if (folder === undefined) throw new UsageError("cache_no_home");
  if (what === "list" && ids.length === 0) return list(context, folder);
  if (what !== "add" && what !== "remove")
    throw new UsageError("models_bad_order", { usage: `vramscope models ${USAGE}` });
  if (ids.length === 0) throw new UsageError("models_nothing", { usage: `vramscope models ${USAGE}` });
  const wrong = ids.find((id) => !isModelId(id));
  if (wrong !== undefined) throw new UsageError("models_bad_id", { id: wrong });
  return what === "add" ? add(context, folder, ids) : remove(context, folder, ids);
}

function list({ locale, io }: CommandContext, folder: string): ExitCode {
  const known = addedModels(folder);
  const size = formatBytes(known.reduce((sum, { bytes }) => sum + bytes, 0));
  io.out(`${message(locale, "models_total", { count: known.length, size, folder })}\n`);
  for (const { id, bytes } of known) io.out(`  ${id}  ${formatBytes(bytes)}\n`);
  return EXIT.ok;
}

function remove({ locale, io }: CommandContext, folder: string, ids: readonly string[]): ExitCode {
  for (const id of ids) {
    if (!removeModel(folder, id)) throw new UsageError("models_not_added", { model: id });
    io.out(`${message(locale, "models_removed", { model: id })}\n`);
  }
  return EXIT.ok;
}

async function add({ parsed, locale, io }: CommandContext, folder: string, ids: readonly string[]): Promise<ExitCode> {
  const hub = valueOf(parsed, "hub") ?? (io.env["HF_ENDPOINT"] || DEFAULT_HUB);
  const token = io.env["HF_TOKEN"] || null;
  for (const id of ids) {
    const model = await fetchModel(id, valueOf(parsed, "revision") ?? "main", {
      hub,
      token,
      signal: io.signal,
      ask: proxiedFetch(io),
    });
    addModel(folder, id, model);
    const size = formatBytes([...model.files.values()].reduce((sum, bytes) => sum + bytes.length, 0));
    const args = { model: id, commit: model.commit.slice(0, 8), count: model.files.size, size };
    io.out(`${message(locale, "models_added", { ...args, weightsBytes: model.weightsBytes })}\n`);
  }
  return EXIT.ok;
}
