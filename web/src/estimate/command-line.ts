/** The command that gives the same answer as the page. */

import { PROGRAM } from "../../../src/cli/command.ts";
import { OF_TRAINING } from "../../../src/cli/estimate-options.ts";
import { DEFAULT_GPU } from "../../../src/gpus/catalogue.ts";
import { commandText } from "../shell/command-text.ts";
import { chosenNow, modeOf, specOf, type Inputs } from "./inputs.ts";

/** Arguments behind the program's name; a model that was given is expected at `path`. */
export function commandArguments(inputs: Inputs, gpu: string, path: string | null): readonly string[] {
  const mode = modeOf(inputs);
  const options = chosenNow(inputs).filter(([name]) => name !== "task");
  const tells = options.some(([name]) => OF_TRAINING.includes(name));
  return [
    "estimate",
    path ?? inputs.model,
    ...(mode === "align" ? ["--task", inputs.chosen["task"]!] : []),
    ...(mode === "train" && !tells ? ["--task", "train"] : []),
    ...options.flatMap(([name, value]) => (specOf(name).value === undefined ? [`--${name}`] : [`--${name}`, value])),
    ...(gpu === DEFAULT_GPU ? [] : ["--gpu", gpu]),
  ];
}

/** As it is typed into a shell. */
export const shellLine = (args: readonly string[]): string => commandText([PROGRAM, ...args]);
