/** Wording: both languages say the same things, and placeholders are filled as documented. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { en } from "../../src/i18n/en.ts";
import { isMessageCode, localeOf, message, messageOrCode, type MessageCode } from "../../src/i18n/index.ts";
import { zhCN } from "../../src/i18n/zh-CN.ts";

const FOLDER = fileURLToPath(new URL("../../src/i18n", import.meta.url));

/** Names in a text; a choice of words by a number needs no counterpart in a language without plurals. */
function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!))].sort();
}

describe("catalogues", () => {
  it.each(Object.keys(en) as MessageCode[])("%s has the same arguments in both", (code) => {
    expect(placeholders(zhCN[code])).toEqual(placeholders(en[code]));
    expect(zhCN[code].trim()).not.toBe("");
  });
  it.each(["en", "zh-CN"])("%s says each thing in one file", (language) => {
    const files = readdirSync(FOLDER).filter((name) => name.startsWith(language));
    const keys = files.flatMap((name) =>
      [...readFileSync(join(FOLDER, name), "utf8").matchAll(/^ {2}(\w+):/gm)].map((match) => match[1]!),
    );
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect(keys.length).toBe(Object.keys(en).length);
  });
  it("have the same keys", () => expect(Object.keys(zhCN).sort()).toEqual(Object.keys(en).sort()));
});

describe("message", () => {
  it("fills in byte counts, numbers, texts and plurals", () => {
    expect(message("en", "fits_text", { headroomBytes: 512, capacityBytes: 8_519_680 })).toBe(
      "512 bytes of 8.12 MiB left",
    );
    expect(message("en", "lines_left_out", { count: 1 })).toBe("1 line that moved less is left out; --json has all");
    expect(message("en", "lines_left_out", { count: 2 })).toBe("2 lines that moved less are left out; --json has all");
    expect(message("zh", "unknown_gpu", { name: "x" })).toBe("未知 GPU 'x'");
  });
  it("does not read placeholders in arguments", () => {
    expect(message("en", "unknown_gpu", { name: "{name} $& {x}" })).toBe("unknown GPU '{name} $& {x}'");
  });
  it("shows a code without wording as it is", () => {
    expect(isMessageCode("toString")).toBe(false);
    expect(messageOrCode("en", "some_new-code", { op: "aten::x", lostBytes: 1024 })).toBe(
      "some new code (op aten::x, lostBytes 1.00 KiB)",
    );
    expect(messageOrCode("en", "unknown_op", { op: "aten::x" })).toContain("aten::x");
  });
});

it.each([
  [{ LANG: "zh_CN.UTF-8" }, "zh"],
  [{ LANG: "C", LC_ALL: "zh_TW" }, "zh"],
  [{ LANG: "zh_CN.UTF-8", LC_ALL: "en_US.UTF-8" }, "en"],
  [{ LANG: "zha_CN" }, "en"],
  [{}, "en"],
])("locale of %o is %s", (env, expected) => expect(localeOf(env)).toBe(expected));
