/** Programs in any encoding: decoded by CPython itself; expected values are those that CPython prints for the same bytes. */

import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapedBytes, sourceText } from "../../src/base/source-text.ts";
import { vramscope } from "../built.ts";
import { cli } from "../cli/harness.ts";

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "utf8") : Buffer.from(part))));

const SHOW = "print(len(s), ascii(s))\n";

describe("a program's bytes mean what they mean to CPython", () => {
  it.each([
    ["a byte order mark", bytes([0xef, 0xbb, 0xbf], 's="é"\n', SHOW), "1 '\\xe9'\n"],
    ["gbk", bytes('# -*- coding: gbk -*-\ns="', [0xd6, 0xd0, 0xce, 0xc4], '"\n', SHOW), "2 '\\u4e2d\\u6587'\n"],
    ["latin-1", bytes('# -*- coding: latin-1 -*-\ns="', [0xe9], '"\n', SHOW), "1 '\\xe9'\n"],
    [
      "a coding line that is second",
      bytes('#!/usr/bin/python\n# vim: set fileencoding=cp1251 :\ns="', [0xcf], '"\n', SHOW),
      "1 '\\u041f'\n",
    ],
    ["a coding line that is third counts for nothing", bytes('\n\n# coding: gbk\ns="é"\n', SHOW), "1 '\\xe9'\n"],
    ["CRLF", bytes('s="""a\r\nb"""\r\n', SHOW), "3 'a\\nb'\n"],
    ["CR alone", bytes('s="""a\rb"""\r', SHOW), "3 'a\\nb'\n"],
    ["a form feed", bytes('\fs="a"\n\f', SHOW), "1 'a'\n"],
  ])("%s", async (_, source, printed) => {
    const { status, stdout } = await vramscope.run({ script: "p.py", source });
    expect([status, stdout]).toEqual(["ok", printed]);
  });

  it.each([
    ["bytes that are not UTF-8", bytes('s="', [0xff], '"\n'), "Non-UTF-8 code starting with '\\xff'"],
    ["an unknown codec", bytes("# coding: nonsense\ns=1\n"), "encoding problem: nonsense|unknown encoding: nonsense"],
    ["a null byte", bytes("x=1", [0], "\n"), "cannot contain null bytes"],
  ])("%s end in a SyntaxError without a frame of ours", async (_, source, words) => {
    const { status, errorText } = await vramscope.run({ script: "p.py", source });
    expect(status).toBe("python_error");
    expect(errorText).toMatch(new RegExp(`SyntaxError: .*(${words.replaceAll("\\", "\\\\")})`));
    expect(errorText).not.toContain("/lib/");
  });

  it("a text that is given as one is a text, whatever its comments say", async () => {
    const { stdout } = await vramscope.run({ script: "p.py", source: `# coding: gbk\ns="é"\n${SHOW}` });
    expect(stdout).toBe("1 '\\xe9'\n");
  });
});

it("bytes travel in a string without loss", () => {
  const anything = fc.uint8Array({ maxLength: 60 });
  const likely = fc
    .array(fc.constantFrom("é", "存", "🙂", "\ufeff", "a", "\xff", "\xed\xa0\x80", "\xc0\x80"), { maxLength: 12 })
    .map(
      (parts) =>
        new Uint8Array(
          Buffer.concat(parts.map((p) => Buffer.from(p, p.length > 1 && p < "\u0100" ? "latin1" : "utf8"))),
        ),
    );
  fc.assert(
    fc.property(fc.oneof(anything, likely), (data) => {
      const back = [...escapedBytes(data)].map((character) => {
        const code = character.codePointAt(0)!;
        return code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(character, "utf8");
      });
      expect(Buffer.concat(back).equals(Buffer.from(data))).toBe(true);
    }),
  );
});

it("a report shows the text", () => {
  expect(sourceText(bytes([0xef, 0xbb, 0xbf], "a\r\nb\rc\n"))).toBe("a\nb\nc\n");
  expect(sourceText(bytes("# coding: gbk\n", [0xd6, 0xd0]))).toBe("# coding: gbk\n中");
  expect(sourceText(bytes("# coding: latin-1\n", [0xe9]))).toBe("# coding: latin-1\né");
  expect(sourceText(bytes("# coding: nonsense\n", [0xff]))).toBe("# coding: nonsense\n\ufffd");
});

describe("what is handed over", () => {
  const folder = mkdtempSync(join(tmpdir(), "vramscope-test-"));
  const files: Record<string, string | Buffer> = {
    "a.ipynb": '{"cells": [], "nbformat": 4}',
    "a.log":
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 14.56 GiB of which 1.00 GiB is free.\n",
    "a.pickle": Buffer.from([0x80, 4, 0x7d, 0x8c, 8, ...Buffer.from("segments"), 0x5d, 0x73, 0x2e]),
    "pic.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]),
    noext: "x = 1\n",
    "net.py": "x = 1\n",
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  symlinkSync("nowhere.py", join(folder, "dangling.py"));
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from(".py")]), "y = 2\n");

  it.each([
    ["a.log", /a\.log is a recording \(.*\).*vramscope open a\.log/],
    ["a.pickle", /a\.pickle is a recording \(PyTorch memory snapshot\).*vramscope open a\.pickle/],
    ["pic.png", /pic\.png is no Python program/],
    ["dangling.py", /dangling\.py is a link to a file that does not exist/],
  ])("%s is named, not run", async (name, words) => {
    const { code, err, options } = await cli(["run", name], { cwd: folder });
    expect([code, options]).toEqual([2, null]);
    expect(err).toMatch(words);
    expect(err).not.toContain("did you mean");
  });

  it("a notebook is a program, for `run`; the user's own Python runs none", async () => {
    expect((await cli(["run", "a.ipynb"], { cwd: folder })).options?.script).toBe("a.ipynb");
    const { code, err } = await cli(["record", "a.ipynb"], { cwd: folder });
    expect(code).toBe(2);
    expect(err).toMatch(/a\.ipynb is a notebook/);
  });

  it("a program may have any name", async () => {
    expect((await cli(["run", "noext"], { cwd: folder })).options?.script).toBe("noext");
    // as Node hands over a name that is not UTF-8
    const { options } = await cli(["run", "caf\ufffd.py"], { cwd: folder });
    expect([options?.script, Buffer.from(options?.source as Uint8Array).toString()]).toEqual([
      "caf\udce9.py",
      "y = 2\n",
    ]);
  });
});
