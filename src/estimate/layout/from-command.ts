/** A command line that starts training: which program it is, and its reader. */

import { launched } from "./launcher.ts";
import { readMegatron } from "./megatron-command.ts";
import { ReadingError, type Reading } from "./reading.ts";
import { readSwift, SWIFT_COMMANDS } from "./swift-command.ts";
import { commandWords } from "./shell-words.ts";

/** `gpus`: how many, where the caller says so. Throws {@link ReadingError}. */
export function readCommand(text: string, gpus: number | null): Reading {
  const launch = launched(commandWords(text));
  if (SWIFT_COMMANDS.has(launch.script)) return readSwift(launch, gpus);
  if (launch.script.startsWith("pretrain_") || (launch.options.has("num-layers") && launch.options.has("hidden-size")))
    return readMegatron(launch, gpus);
  throw new ReadingError("launch_not_understood", { what: launch.script });
}
