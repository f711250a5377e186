/** Places of other machines, shortened in front. */

import { expect, it } from "vitest";
import { shortPlace } from "../../src/report/places.ts";
import { cutFront, displayWidth } from "../../src/report/width.ts";

it("keeps file and line, and names that are short", () => {
  expect(shortPlace("/home/lin/cs336/cs336_basics/optimizer.py:76")).toBe("…/cs336_basics/optimizer.py:76");
  expect(shortPlace("C:\\work\\me\\src\\model.py:7")).toBe("…/src/model.py:7");
  for (const same of ["train.py:21", "src/train.py:21", "/tmp/x.py:1", ""]) expect(shortPlace(same)).toBe(same);
});

it("cuts a text in front, never wider than asked", () => {
  const text = "/home/lin/显存/assignment/basics/model.py:253";
  for (let width = 4; width < 60; width++) {
    const cut = cutFront(text, width);
    expect(displayWidth(cut)).toBeLessThanOrEqual(width);
    expect(text.endsWith(cut.replace("…", ""))).toBe(true);
  }
});
