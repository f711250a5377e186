/** The README tells the truth: its examples run, print what it says, and its commands and links exist, in both languages. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { opNames } from "../src/ops/registry.ts";
import { TORCH_VERSIONS } from "../src/torch/releases.ts";
import { findCommand } from "../src/cli/commands.ts";
import { parseCommandArgs } from "../src/cli/parse.ts";
import { runSettings } from "../src/cli/run-options.ts";
import { folderWith, ROOT, start, vramscope } from "./helpers.ts";

const README = readFileSync(join(ROOT, "README.md"), "utf8");
const CHINESE = readFileSync(join(ROOT, "README.zh-CN.md"), "utf8");

interface Block {
  readonly language: string;
  readonly text: string;
  /** The comment before it: what to do with it. */
  readonly comment: string;
}

function blocks(document: string): Block[] {
  return [...document.matchAll(/(?:<!-- ([^\n]*) -->\n)?```(\w+)\n([^]*?)```/g)].map((match) => ({
    comment: match[1] ?? "",
    language: match[2]!,
    text: match[3]!,
  }));
}

const english = blocks(README);

/** An example as a module of its own, with the package's name standing for the build. */
async function runExample(code: string): Promise<string> {
  const build = (file: string) => pathToFileURL(join(ROOT, "dist", file)).href;
  const module = code
    .replaceAll('from "vramscope"', `from ${JSON.stringify(build("index.js"))}`)
    .replaceAll('from "vramscope/engine"', `from ${JSON.stringify(build("engine.js"))}`)
    .replaceAll('from "vramscope/formats"', `from ${JSON.stringify(build("formats/index.js"))}`);
  const file = join(folderWith({}), "example.mjs");
  writeFileSync(file, module);
  const { code: status, out, err } = await start(process.execPath, [file]);
  expect([status, err]).toEqual([0, ""]);
  return out;
}

describe("library examples", () => {
  const examples = english.flatMap((block, index) =>
    block.language === "js" ? [{ code: block.text, printed: english[index + 1]! }] : [],
  );

  it("are there", () => expect(examples.length).toBeGreaterThanOrEqual(3));

  it.each(examples.map((example, index) => [index + 1, example] as const))(
    "number %i prints what is said",
    async (_, { code, printed }) => {
      expect(printed.comment).toBe("prints");
      expect(await runExample(code)).toBe(printed.text);
    },
  );
});

describe("examples in doc comments", () => {
  const engine = readFileSync(join(ROOT, "src", "engine.ts"), "utf8");
  const examples = [...engine.matchAll(/\* ```js\n([^]*?) \* ```/g)].map((match) =>
    match[1]!.replaceAll(/^ \* ?/gm, ""),
  );

  it.each(examples.map((code, index) => [index + 1, code] as const))(
    "number %i of engine.ts gives what its comments say",
    async (_, code) => {
      const checked = code.replaceAll(
        /^( *)(allocator\.memory\w+\(\)); \/\/ (?:.*: )?(\d+)$/gm,
        (_line, indent, call, bytes) => {
          return `${indent}if (${call} !== ${bytes}) throw new Error(${JSON.stringify(`${call}: `)} + ${call});`;
        },
      );
      expect(checked).not.toBe(code);
      expect(await runExample(checked)).toBe("");
    },
  );
});

describe("printed output", () => {
  const shown = english.filter((block) => block.comment.startsWith("test: "));

  it.each(shown.map((block) => [block.comment.slice("test: ".length), block.text] as const))(
    "of %s is real",
    async (command, text) => {
      const [line = "", status = "0"] = command.split(" = ");
      const { code, out, err } = await vramscope(line.split(" "), { env: { COLUMNS: "80" } });
      expect(code).toBe(Number(status));
      const printed = `${out}${err}`.split("\n");
      let from = 0;
      // lines may be left out, but not changed or put in another order
      for (const expected of text.trimEnd().split("\n")) {
        if (expected === "") continue;
        const at = printed.findIndex((candidate, index) => index >= from && candidate.startsWith(expected));
        expect([expected, at >= 0]).toEqual([expected, true]);
        from = at + 1;
      }
    },
  );
});

describe("commands", () => {
  const lines = [README, CHINESE].flatMap((document) =>
    blocks(document)
      .filter((block) => block.language === "sh")
      .flatMap((block) => block.text.split("\n"))
      .map((line) => line.replace(/\s+#.*$/, "").trim()),
  );

  it.each([...new Set(lines.filter((line) => line.startsWith("vramscope ")))])("%s is understood", async (line) => {
    const [, name = "", ...args] = line.split(/\s+/);
    const command = await findCommand(name);
    const parsed = parseCommandArgs(command, args);
    if (name === "run") runSettings(parsed);
    expect(command.name).toBe(name);
  });

  it("of npm exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const named = [README, CHINESE].flatMap((document) =>
      [...document.matchAll(/npm run ([\w:]+)/g)].map((match) => match[1]!),
    );
    for (const script of [...named, "start", "test"]) expect(Object.keys(scripts)).toContain(script);
  });
});

describe("claims", () => {
  it("count what is there", () => {
    expect(Number(/more than (\d+) operators/.exec(README)![1])).toBeLessThan(opNames().length);
    expect(README).toMatch(new RegExp(`PyTorch\\s+from ${TORCH_VERSIONS[0]} on \\(\`--torch\`\\)`));
    const corpus = join(ROOT, "test", "conformance");
    const programs = readdirSync(corpus, { recursive: true }).filter((name) => String(name).endsWith(".expected"));
    const cases = new Set(programs.map((name) => String(name).replace(/(\.\w+)?\.torch-.*$/, "")));
    expect(Number(/corpus of more than (\d+) programs/.exec(README)![1])).toBeLessThan(cases.size);
  });

  it("say of an H100 what its page says", () => {
    const page = readFileSync(join(ROOT, "docs", "h100.md"), "utf8");
    const [, all, near] = /of (\d+) training runs of torchvision's networks (\d+) have their peak within 1 %/.exec(
      README,
    )!;
    expect(page).toContain(`| torchvision's networks, three training steps | ${all} | 0 | ${near} of ${all} |`);
  });

  it("name the versions of the dependencies that are installed", () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Record<
      string,
      Record<string, string>
    >;
    for (const name of Object.keys({ ...manifest["dependencies"], ...manifest["devDependencies"] })) {
      const { version, license } = JSON.parse(
        readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8"),
      ) as Record<string, string>;
      for (const document of [README, CHINESE]) {
        const row = document.split("\n").find((line) => line.startsWith(`| ${name} `));
        expect([name, row]).toEqual([name, expect.stringContaining(`| ${name} ${version} |`)]);
        expect(row).toContain(`| ${license} |`);
      }
    }
  });

  it("link to files that exist", () => {
    for (const document of [README, CHINESE]) {
      for (const [, link] of document.matchAll(/\]\((?!https?:)([^)#]+)\)/g))
        expect([link, existsSync(join(ROOT, link!))]).toEqual([link, true]);
    }
  });
});

describe("the Chinese README", () => {
  it("has the same code, tables and sections", () => {
    const code = (document: string) => blocks(document).filter((block) => block.language !== "sh");
    expect(code(CHINESE)).toEqual(code(README));
    const commands = (document: string) =>
      blocks(document)
        .filter((block) => block.language === "sh")
        .map((block) => block.text.replaceAll(/ +#.*$/gm, ""));
    expect(commands(CHINESE)).toEqual(commands(README));
    const count = (document: string, mark: RegExp) => [...document.matchAll(mark)].length;
    for (const mark of [/^## /gm, /^\|/gm, /^- /gm]) expect(count(CHINESE, mark)).toBe(count(README, mark));
  });
});
