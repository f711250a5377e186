/** The line that says what is going on: nothing for what is quick, then the words, then how long it takes already. */

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { progressLine } from "../../src/cli/progress.ts";

let said: string[] = [];
const on = (isTty: boolean) =>
  progressLine({ errInfo: { isTty, columns: 80 }, env: {}, err: (text: string) => said.push(text) } as never);

beforeEach(() => {
  said = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

it("is not shown for what is quick", () => {
  const progress = on(true);
  progress.say("reading");
  vi.advanceTimersByTime(200);
  progress.end();
  vi.advanceTimersByTime(5000);
  expect(said).toEqual([]);
});

it("counts seconds where it takes long, and goes away", () => {
  const progress = on(true);
  progress.say("simulating");
  vi.advanceTimersByTime(400);
  expect(said.at(-1)).toMatch(/simulating$/);
  vi.advanceTimersByTime(5000);
  expect(said.at(-1)).toMatch(/simulating · 5 s$/);
  progress.end();
  const { length } = said;
  vi.advanceTimersByTime(5000);
  expect(said).toHaveLength(length);
});

it("is for terminals alone", () => {
  on(false).say("simulating");
  vi.advanceTimersByTime(10_000);
  expect(said).toEqual([]);
});
