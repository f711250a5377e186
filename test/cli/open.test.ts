/** `vramscope open`: what it prints for traces, figures and files that are nothing known. */

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { exportBytes } from "../../src/exports/index.ts";
import { readTrace, writeTrace } from "../../src/trace/file.ts";
import { ROOT } from "../helpers.ts";
import { sampleTrace } from "../trace/sample.ts";
import { cli } from "./harness.ts";

const SAMPLES = join(ROOT, "test/formats/samples");

function folder(files: Record<string, string | Uint8Array>): string {
  const path = mkdtempSync(join(tmpdir(), "vramscope-open-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return path;
}

describe("vramscope open", () => {
  const cwd = folder({
    "s.pickle": exportBytes("snapshot", sampleTrace()),
    "t.json.gz": gzipSync(writeTrace(sampleTrace())),
    "empty.log": "",
    "notes.txt": "buy milk\n",
    "model.zip": Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0]),
    "bomb.gz": gzipSync(new Uint8Array(2 ** 27)).subarray(0, 50_000),
    "cut.gz": gzipSync(Buffer.alloc(2 ** 20, "buy milk\n")).subarray(0, 1000),
  });

  it("a snapshot: course, composition, lines, and what is assumed", async () => {
    const { code, out } = await cli(["open", "s.pickle"], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/^s\.pickle · PyTorch memory snapshot\n\n {2}The peak is \S+ MiB/);
    expect(out).toMatch(/start\s+peak\s+end\n\s+allocated\s+0 bytes\s+\S+ MiB/);
    expect(out).toContain("At the peak");
    expect(out).toContain("By line, in MiB");
  });

  it("an out-of-memory error: the verdict first, by how much and why", async () => {
    // the wording of PyTorch 2.2 on; 2.00 GiB of which 1.91 GiB are free lack 0.09 GiB
    const text =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 14.56 GiB of which " +
      "1.91 GiB is free. Including non-PyTorch memory, this process has 12.65 GiB memory in use. Of the allocated memory 11.51 GiB " +
      "is allocated by PyTorch, and 1.01 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large " +
      "try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.\n";
    const { out } = await cli(["open", "-"], { cwd, stdin: text });
    expect(out).toMatch(/^\S.* · .*\n\n {2}does not fit {2}The device lacked 92\.16 MiB/);
  });

  it("a trace of ours, packed, has its verdict", async () => {
    const { code, out } = await cli(["open", "t.json.gz"], { cwd });
    expect(code).toBe(0);
    expect(out).toContain("reserved");
    expect(out).toMatch(/fits|may fit|does not fit/);
  });

  it("one moment, as text and as JSON", async () => {
    expect((await cli(["open", "s.pickle", "--at", "2", "--by", "line"], { cwd })).out).toContain("event 2");
    const { out } = await cli(["open", "s.pickle", "--at", "peak", "--json"], { cwd });
    expect(JSON.parse(out)).toMatchObject({ schemaVersion: 1, by: { category: {} } });
    expect((await cli(["open", "s.pickle", "--at", "nowhere"], { cwd })).code).toBe(2);
  });

  it("JSON, exports, and a trace file that can be read again", async () => {
    const { code, out } = await cli(["open", "s.pickle", "--json", "-o", "again.json", "--export", "folded=f.txt"], {
      cwd,
    });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      format: "pytorch-snapshot",
      course: { allocated: { startBytes: 0 } },
      readings: null,
    });
    expect(readTrace(readFileSync(join(cwd, "again.json"), "utf8")).ok).toBe(true);
    expect(readFileSync(join(cwd, "f.txt"), "utf8")).not.toBe("");
  });

  it("an error text, from standard input, in Chinese", async () => {
    const stdin = readFileSync(join(SAMPLES, "oom-2.6.txt"), "utf8");
    const { code, out } = await cli(["open", "-"], { stdin });
    expect(code).toBe(0);
    expect(out).toContain("tried to allocate");
    expect(out).toContain("2 other processes on the device hold 88.22 GiB");
    expect((await cli(["open", "-", "--lang", "zh"], { stdin })).out).toContain("设备上另有 2 个进程");
    expect((await cli(["open", "-", "--at", "peak"], { stdin })).err).toContain("figures only");
  });

  it("an error text that stands inside of a log of another kind is read, too", async () => {
    const log = `${readFileSync(join(SAMPLES, "vllm-v1.log"), "utf8")}\n${readFileSync(join(SAMPLES, "oom-private-pools.txt"), "utf8")}`;
    const { out } = await cli(["open", "-"], { stdin: log });
    expect(out).toContain("vLLM");
    expect(out).toMatch(/tried to allocate\s+~?270\.00 MiB/);
    expect(out).toContain("The device lacked");
  });

  it("a recording has no verdict, in Markdown and HTML neither", async () => {
    const unknownDevice = readFileSync(join(cwd, "s.pickle"));
    const files = folder({ "s.pickle": unknownDevice });
    const { code } = await cli(["open", "s.pickle", "--markdown", "s.md", "--export", "html=s.html"], { cwd: files });
    expect(code).toBe(0);
    expect(readFileSync(join(files, "s.md"), "utf8")).toMatch(/^### s\.pickle · cuda:0\n\n\*\*recorded\*\*/);
    const html = readFileSync(join(files, "s.html"), "utf8");
    expect(html).toContain("recorded on a device");
    expect(html).not.toContain("does not fit");
  });

  it("what is nothing known is named; other files are told", async () => {
    const { code, out, err } = await cli(
      ["open", "empty.log", "notes.txt", "model.zip", "bomb.gz", "cut.gz", "s.pickle"],
      {
        cwd,
      },
    );
    expect(code).toBe(3);
    expect(err).toContain("empty.log: it is empty");
    expect(err).toContain('notes.txt: its content is nothing known; it begins with "buy milk"');
    expect(err).toContain("model.zip: it is a ZIP archive");
    // nothing but zeros: the rest need not be unpacked
    expect(err).toContain("bomb.gz: its content is nothing known");
    expect(err).toContain("cut.gz: it begins as a gzip file but cannot be unpacked");
    expect(out).toContain("s.pickle · PyTorch memory snapshot");
  });

  it("wrong usage", async () => {
    expect((await cli(["open"], { cwd })).err).toContain("no file given");
    expect((await cli(["open", "ss.pickle"], { cwd })).err).toContain("did you mean s.pickle?");
    expect((await cli(["open", "s.pickle", "--format", "pytorch-snapshop"], { cwd })).err).toContain(
      "did you mean 'pytorch-snapshot'?",
    );
    expect((await cli(["open", "s.pickle", "--device", "x"], { cwd })).err).toContain("--device needs");
    expect((await cli(["open", "s.pickle", "--device", "4"], { cwd })).err).toContain("nothing of device 4");
  });
});
