/** Hints behind errors of programs that want a launcher: they name the command, and no other variable brings them. */

import { describe, expect, it } from "vitest";
import { errorHint } from "../../src/cli/error-hint.ts";
import { folderWith } from "../helpers.ts";

const files = { script: "ddp.py", workingDirectory: folderWith({ "ddp.py": "" }) };
const hint = (last: string): unknown => errorHint(`Traceback (most recent call last):\n${last}\n`, files);

describe("a program that is one of several processes", () => {
  it.each([
    ["KeyError: 'LOCAL_RANK'", "LOCAL_RANK"],
    ["KeyError: 'WORLD_SIZE'", "WORLD_SIZE"],
    [
      "ValueError: Error initializing torch.distributed using env:// rendezvous: environment variable RANK expected, but not set.",
      "RANK",
    ],
  ])("is told of the launcher: %s", (last, variable) => {
    expect(hint(last)).toEqual({ code: "hint_launcher", args: { variable, script: "ddp.py" } });
  });

  it("is not what misses another key", () => {
    expect(hint("KeyError: 'HOME'")).toBeNull();
    expect(hint("ValueError: RANK")).toBeNull();
  });
});
