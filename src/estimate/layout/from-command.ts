/** A command line that starts training: which program it is, and its reader. */

import { launched } from "./launcher.ts";
import { readMegatron } from "./megatron-command.ts";
import { ReadingError, type Reading } from "./reading.ts";
import { publishedSizes, readSwift, SWIFT_COMMANDS, type GivenModel } from "./swift-command.ts";
import type { ModelSizes } from "./training-job.ts";
import { commandWords } from "./shell-words.ts";

/**
 * `gpus`: how many, where the caller says so; `model`: in place of the one that the command names; `sizesOf`: those of a model that it
 * names. Throws {@link ReadingError}, and what `sizesOf` throws.
 */
export function readCommand(
  text: string,
  gpus: number | null,
  model: GivenModel | null = null,
  sizesOf: (name: string) => ModelSizes = publishedSizes,
): Reading {
  const launch = launched(commandWords(text));
  if (SWIFT_COMMANDS.has(launch.script)) return readSwift(launch, gpus, model, sizesOf);
  if (
    launch.script.startsWith("pretrain_") ||
    (launch.options.has("num-layers") && launch.options.has("hidden-size"))
  ) {
    if (model !== null) throw new ReadingError("launch_contradiction", { a: model.name, b: "--num-layers" });
    return readMegatron(launch, gpus);
  }
  throw new ReadingError("launch_not_understood", { what: launch.script });
}
