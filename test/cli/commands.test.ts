/** Help, version and the GPU table; and writing to streams that are slow or gone. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";
import { descriptorWriter } from "../../src/cli/output.ts";
import { optionsOf } from "../../src/cli/parse.ts";
import { displayWidth } from "../../src/report/width.ts";
import { cli } from "./harness.ts";
import { NEWEST_TORCH, TORCH_VERSIONS } from "../../src/torch/releases.ts";

const COMMANDS = await allCommands();

describe("help", () => {
  it("is the same for nothing, -h, --help and help", async () => {
    const { code, out } = await cli([]);
    expect(code).toBe(0);
    for (const args of [["-h"], ["--help"], ["help"]]) expect((await cli(args)).out).toBe(out);
    for (const command of COMMANDS) expect(out).toContain(`  ${command.name}`);
  });

  it.each(COMMANDS.map((command) => command.name))("of %s names every option", async (name) => {
    const { out } = await cli(["help", name]);
    expect((await cli([name, "--help"])).out).toBe(out);
    expect((await cli([name, "-h"])).out).toBe(out);
    for (const option of optionsOf(COMMANDS.find((command) => command.name === name)!))
      expect(out).toContain(`--${option.name}`);
  });

  it.each(["en", "zh"])("fits 80 columns (%s)", async (lang) => {
    for (const args of [["help"], ["help", "run"], ["help", "gpus"]]) {
      const { out } = await cli([...args, "--lang", lang]);
      for (const line of out.split("\n")) expect([line, displayWidth(line) <= 80]).toEqual([line, true]);
    }
  });

  it("names the defaults, the range of versions and the exit codes", async () => {
    const { out } = await cli(["run", "--help"]);
    // long descriptions go on in the next line
    const said = out.replaceAll(/\s+/g, " ");
    for (const part of [
      "default a100-80gb",
      `${TORCH_VERSIONS[0]} to ${NEWEST_TORCH}`,
      "130",
      "NAME=VALUE",
      "--fail-over",
    ])
      expect(said).toContain(part);
  });

  it("of an unknown command names the nearest", async () => {
    expect((await cli(["help", "gpu"])).err).toContain("did you mean 'gpus'?");
  });
});

it("prints the package's version", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  for (const args of [["version"], ["--version"], ["-V"]]) expect((await cli(args)).out).toBe(`${version}\n`);
});

describe("gpus", () => {
  it("lists them, filtered", async () => {
    const { out } = await cli(["gpus", "l40s"]);
    expect(out.split("\n")[1]).toMatch(/^l40s +L40S +8\.9 +44\.40 GiB\* +46068 MiB$/);
    expect(out.split("\n")).toHaveLength(5);
  });
  it("as JSON", async () => {
    const { out } = await cli(["gpus", "--json", "h200 sxm"]);
    const document = JSON.parse(out) as { schemaVersion: number; gpus: { id: string }[] };
    expect(document.schemaVersion).toBe(1);
    expect(document.gpus.map((gpu) => gpu.id)).toEqual(["h200-141gb"]);
  });
  it("never wraps, and drops columns before it cuts them", async () => {
    for (const columns of ["40", "80", "100", "160"]) {
      const { out } = await cli(["gpus"], { env: { COLUMNS: columns } });
      for (const line of out.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(Number(columns));
    }
    expect((await cli(["gpus"])).out).toMatch(/^a100-80gb +8\.0 +79\.20 GiB +81920 MiB\*$/m);
    expect((await cli(["gpus"], { env: { COLUMNS: "160" } })).out).toMatch(/^a100-80gb +A100 80GB SXM .*a100-80/m);
  });
});

describe("writing", () => {
  const failing = (code: string) => Object.assign(new Error(code), { code });
  it("continues after short writes and full pipes", () => {
    const got: number[] = [];
    let calls = 0;
    const write = descriptorWriter(1, undefined, (_fd, data, offset, length) => {
      calls += 1;
      if (calls % 3 === 0) throw failing("EAGAIN");
      const taken = Math.min(length, 4);
      got.push(...data.subarray(offset, offset + taken));
      return taken;
    });
    write("显存 memory ".repeat(5));
    expect(Buffer.from(got).toString("utf8")).toBe("显存 memory ".repeat(5));
  });
  it("is silent once the reader is gone", () => {
    let calls = 0;
    const write = descriptorWriter(1, undefined, () => {
      calls += 1;
      throw failing("EPIPE");
    });
    write("a");
    write("b");
    expect(calls).toBe(1);
  });
  it("does not hide other errors", () => {
    const reasons: string[] = [];
    const write = descriptorWriter(
      1,
      (reason) => void reasons.push(reason),
      () => {
        throw failing("ENOSPC");
      },
    );
    write("a");
    write("b");
    expect(reasons).toEqual(["ENOSPC"]);
  });
});
