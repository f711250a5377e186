/** Links: what is put in comes out, and a link that is not whole is never taken for one. */

import { describe, expect, it } from "vitest";
import { pack, unpack } from "../../web/src/state/packed-text.ts";
import { seal, unseal } from "../../web/src/state/sealed-query.ts";
import { readLink, writeLink, type SharedProgram } from "../../web/src/state/share-link.ts";

const PROGRAM: SharedProgram = {
  name: "net.py",
  example: null,
  source: 'import torch\n\n# 显存 & "quotes" #+?=%\nx = torch.ones(1024, device="cuda")\n'.repeat(4),
  args: '--batch 8 --name "a b"',
  gpu: "t4",
  torch: "2.6",
  temporaries: false,
  event: 12,
};

describe("a link", () => {
  it("gives the program back", async () => {
    const query = (await writeLink(PROGRAM))!;
    expect(query).toMatch(/^n=\d+&c=[0-9a-z]+&/);
    expect(await readLink(query)).toEqual({ state: "whole", program: PROGRAM });
    const example = { ...PROGRAM, example: "lora", source: "", args: "", temporaries: true, event: -1 };
    expect(await readLink((await writeLink({ ...example, source: "not in the link" }))!)).toEqual({
      state: "whole",
      program: { ...example, name: "program.py" },
    });
  });

  it("that was cut off anywhere is noticed", async () => {
    const query = (await writeLink(PROGRAM))!;
    for (let length = "n=1".length; length < query.length; length++) {
      expect([length, (await readLink(query.slice(0, length))).state]).toEqual([length, "truncated"]);
    }
  });

  it("that was changed is noticed", async () => {
    const query = (await writeLink(PROGRAM))!;
    const start = query.indexOf("&", query.indexOf("&c=") + 1) + 1;
    for (let at = start; at < query.length; at += 7) {
      const changed = `${query.slice(0, at)}${query[at] === "x" ? "y" : "x"}${query.slice(at + 1)}`;
      expect([at, (await readLink(changed)).state]).toEqual([at, "altered"]);
    }
    expect((await readLink(`${query}.`)).state).toBe("altered");
  });

  it("is no link when it is too long for chats", async () => {
    // numbers that no compression shortens much
    const digits = Array.from({ length: 3000 }, (_, i) => Math.trunc(Math.abs(Math.sin(i + 1)) * 1e9)).join("\n");
    expect(await writeLink({ ...PROGRAM, source: digits })).toBeNull();
    expect((await writeLink(PROGRAM))!.length).toBeLessThan(400);
  });

  it("is something else without a program", async () => {
    for (const query of ["", "model=gpt2&gpu=t4", seal("gpu=t4")])
      expect(await readLink(query)).toEqual({ state: "none" });
    expect(await readLink(seal("code=*not-packed*"))).toEqual({ state: "altered" });
  });
});

it("seals with the checksum that zlib computes", () => {
  // zlib.crc32(b"123456789") is 0xcbf43926
  expect(seal("123456789")).toBe(`n=9&c=${(0xcbf43926).toString(36)}&123456789`);
  expect(unseal(seal("a=1&b=2"))).toEqual({ query: "a=1&b=2", seal: "whole" });
  expect(unseal("a=1")).toEqual({ query: "a=1", seal: "none" });
});

it("packs text of any language, and refuses what unpacks without end", async () => {
  const text = "显存 🙂 ".repeat(50);
  expect(await unpack((await pack(text))!)).toBe(text);
  expect(await unpack((await pack("0".repeat(1 << 20)))!)).toHaveLength(1 << 20);
  expect(await unpack((await pack("0".repeat((1 << 22) + 1))) ?? "")).toBeNull();
});
