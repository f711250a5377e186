/** Names that other tools have for our options: each row is of an option that exists, under a name that is none of ours. */

import { expect, it } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";
import { ELSEWHERE } from "../../src/cli/names-elsewhere.ts";
import { cli } from "./harness.ts";

it("are of options that exist, and are no options themselves", async () => {
  const commands = await allCommands();
  for (const [name, others] of Object.entries(ELSEWHERE)) {
    const having = commands.filter(({ options }) => options.some((option) => option.name === name));
    expect(having, name).not.toEqual([]);
    // in one command a name may be an option that another command lacks
    const known = having.map(({ options }) => options.flatMap(({ name: one, aliases = [] }) => [one, ...aliases]));
    expect(
      others!.filter((one) => known.every((own) => own.includes(one))),
      name,
    ).toEqual([]);
  }
});

it.each([
  [["--max-model-len", "8192", "--engine", "vllm"], "'--max-model-len'; what others call so is here: --max-len"],
  [["--per_device_train_batch_size=4"], "'--per_device_train_batch_size'; what others call so is here: --batch"],
  [["--load-in-4bit"], "here: --weights"],
  [["--context", "32k"], "here: --seq, --prompt, --max-len"],
  [["--engine", "vllm", "--gpus", "4"], "by --tp 4 (tensor parallel)"],
])("are told: estimate %j", async (words, text) => {
  const { code, err } = await cli(["estimate", "llama-3.1-8b", ...words]);
  expect([code, err]).toEqual([2, expect.stringContaining(text)]);
});
