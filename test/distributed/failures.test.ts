/** Ranks that fail: which failures are the program's own, and what a rank is that went on from a call that none of the others made. */

import { describe, expect, it } from "vitest";
import { isOwnFailure, withoutImpossible, type RankRuns } from "../../src/cli/several-ranks.ts";
import type { RunResult } from "../../src/python/run-types.ts";

const failed = (errorText: string, status = "python_error"): RunResult => ({ status, errorText }) as RunResult;
const traceback = (last: string): string =>
  `Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    go()\n${last}\n`;

describe("a failing rank", () => {
  it.each(["RuntimeError: shape '[3, 7]' is invalid\nfor input", "torch.OutOfMemoryError: CUDA out of memory."])(
    "fails whatever its number is made of: %s",
    (last) => expect(isOwnFailure(failed(traceback(last)))).toBe(true),
  );

  it("may fail because its number stands for several ranks", () => {
    expect(isOwnFailure(failed(traceback("TypeError: an integer is required")))).toBe(false);
    const then = "\nDuring handling of the above exception, another exception occurred:\n\n";
    const both = traceback("KeyError: 'rank'") + then + traceback("TypeError: an integer is required");
    expect(isOwnFailure(failed(both))).toBe(false);
    expect(isOwnFailure(failed("", "timeout"))).toBe(false);
  });

  it("is no rank that finished where its call met another's", () => {
    const calls = [0, 1].map((rank) => ({ rank, what: "all_reduce", line: "" }));
    const classes = ["ok", "interrupted", "ok"].map((status, rank) => ({
      ran: [{ rank, result: failed("", status) }],
      taken: [],
      proven: [],
      drawn: [],
    }));
    const runs: RankRuns = { classes, unknown: [], failure: { kind: "mismatch", calls } };
    const status = ({ classes: found }: RankRuns) => found.map(({ ran }) => ran[0].result.status);
    expect(status(withoutImpossible(runs))).toEqual(["interrupted", "interrupted", "ok"]);
    expect(status(withoutImpossible({ ...runs, failure: null }))).toEqual(["ok", "interrupted", "ok"]);
  });
});
