/** Differences that the recorder made are taken for nothing else: another size, another operator or another count is found. */

import { expect, it } from "vitest";
import { unexplained, type RecorderReason } from "../../scripts/recorder-differences.mjs";

const norm: RecorderReason = { why: "a", recorded: "aten::norm", here: "aten::_norms", cases: { one: 2 } };
const order: RecorderReason = { why: "b", operator: "aten::backward", cases: { one: 1 } };
const names = (...operators: string[]): string[] => operators.map((name) => `4 bytes, aten::${name}`);

it("another name of the same bytes, as often as the reason says", () => {
  expect(unexplained("one", names("norm", "mul", "norm"), names("_norms", "mul", "_norms"), [norm])).toEqual({
    at: -1,
    here: -1,
    wrong: null,
  });
  expect(unexplained("one", names("norm", "mul"), names("_norms", "mul"), [norm]).wrong).toBe(
    "1 times instead of 2: a",
  );
  expect(unexplained("two", names("norm"), names("_norms"), [norm]).at).toBe(0);
  expect(unexplained("one", ["8 bytes, aten::norm"], names("_norms"), [norm]).at).toBe(0);
  expect(unexplained("one", names("norm", "mul"), names("_norms"), [norm]).at).toBe(1);
});

it("another order of one operator's results, with the same bytes in all", () => {
  const made = (...bytes: number[]): string[] => bytes.map((n) => `${n} bytes, aten::backward`);
  expect(unexplained("one", made(9, 1, 2), made(1, 2, 9), [order])).toEqual({ at: -1, here: -1, wrong: null });
  expect(unexplained("one", made(9, 1, 2), made(1, 3, 9), [order]).at).toBe(0);
  expect(unexplained("one", made(9, 1), names("mul", "add"), [order]).at).toBe(0);
});

it("other operators one after another, or none, whatever the bytes", () => {
  const equal: RecorderReason = {
    why: "c",
    recordedInstead: [],
    hereInstead: ["aten::equal", "aten::all"],
    cases: { one: 1 },
  };
  const [want, have] = [names("mul", "add"), names("mul", "equal", "all", "add")];
  expect(unexplained("one", want, have, [equal])).toEqual({ at: -1, here: -1, wrong: null });
  expect(unexplained("one", want, [...have, ...names("equal", "all")], [equal]).wrong).toBe("2 times instead of 1: c");
  expect(unexplained("one", want, names("mul", "equal", "add"), [equal])).toEqual({ at: 1, here: 1, wrong: null });
  expect(unexplained("two", want, have, [equal])).toEqual({ at: 1, here: 1, wrong: null });
});
