/** Which functions of the Python half must say their types; `npm run python:check` holds them to it. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./helpers.ts";

const { isPublic } = (await import(join(ROOT, "scripts", "python-types.mjs"))) as {
  isPublic(rows: readonly string[], row: number): boolean;
};
const { withoutTypes } = (await import(join(ROOT, "scripts", "strip-types.mjs"))) as {
  withoutTypes(text: string): string;
};

it("knows what is public: functions and methods without an underscore, and not what lies in a function", () => {
  const rows = `def plain(a):
    def inner(b):
        pass


def _own(
    a,
    b,
):
    pass


class Thing:
    def __init__(
        self,
        a,
    ):
        if a:

            class Other:
                def method(self, b):
                    pass

    def _part(self, a):
        pass

    async def method(self, a):
        pass`.split("\n");
  const heads = rows.flatMap((line, i) => (/\bdef \w+/.test(line) ? [i + 1] : []));
  expect(heads.map((row) => [rows[row - 1]!.trim().split("(")[0], isPublic(rows, row)])).toEqual([
    ["def plain", true],
    ["def inner", false],
    ["def _own", false],
    ["def __init__", true],
    ["def method", false],
    ["def _part", false],
    ["async def method", true],
  ]);
  // an argument of a head that takes several lines
  expect(isPublic(rows, rows.indexOf("    b,") + 1)).toBe(false);
  expect(isPublic(rows, rows.indexOf("        a,") + 1)).toBe(true);
});

it("leaves types out of what is shipped, and every line where it is", () => {
  const source = `from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch


def plain(a: int, *args: Any, b: str = ":,)", c: dict[str, int] | None = None, **more: Any) -> tuple[int, ...]:
    return {a: b}


class Thing:
    x: int = 3

    async def long(
        self,
        first: Callable[[int], str],  # of one, or none
        second: tuple[int, int] = (1, 2),
        *,
        third: str = "=",
    ) -> None:
        self.y: int = first[1:2]
`;
  expect(withoutTypes(source)).toBe(`







def plain(a, *args, b= ":,)", c= None, **more):
    return {a: b}


class Thing:
    x: int = 3

    async def long(
        self,
        first,  # of one, or none
        second= (1, 2),
        *,
        third= "=",
    ):
        self.y: int = first[1:2]
`);
  const asked = "from typing import TYPE_CHECKING\n\nprint(TYPE_CHECKING)\n";
  expect(withoutTypes(asked)).toBe(asked);
});
