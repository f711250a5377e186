/** `vramscope explain` on the sample's trace: moments, groupings, one block, saved tensors, and what is refused. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { EXIT } from "../../src/cli/exit-code.ts";
import type { HolderTable } from "../../src/session/holders.ts";
import { writeTrace } from "../../src/trace/file.ts";
import { sampleTrace } from "../trace/sample.ts";
import { cli, scriptFolder } from "./harness.ts";

let cwd: string;
beforeEach(() => {
  cwd = scriptFolder();
  writeFileSync(join(cwd, "trace.json"), writeTrace(sampleTrace()));
});

const explain = (...args: string[]) => cli(["explain", ...args], { cwd, env: { COLUMNS: "80" } });

describe("a trace", () => {
  it("is explained at its peak", async () => {
    const { code, out } = await explain("trace.json", "--by", "category,line", "--top", "1");
    expect(code).toBe(EXIT.ok);
    expect(out).toBe(`At the peak
  22.00 MiB allocated in 4 blocks; event 5
  net.py:12  aten::addmm  in Net.proj

By category
  activations         16.00 MiB   73%  ████████████████████████████████
  parameters           4.00 MiB   18%  ████████
  workspaces           1.00 MiB    5%  ██
  unsplit remainders   1.00 MiB    5%  ██

By line
  net.py:11           12.00 MiB   55%  ████████████████████████████████
  net.py:12            5.00 MiB   23%  █████████████▍
  net.py:1             4.00 MiB   18%  ██████████▋
  unsplit remainders   1.00 MiB    5%  ██▋

Largest blocks
  #1  13.00 MiB  activations
    - made at net.py:11 by aten::mm in Net
    - freed when a function returned to net.py:2

  who holds it is known only in a run: explain the script instead of its trace
`);
  });

  it("is explained at an event, a line and the end", async () => {
    expect((await explain("trace.json", "--at", "1")).out).toContain("After event 1\n  4.00 MiB allocated in 1 block;");
    expect((await explain("trace.json", "--at", "line:2")).out).toContain(
      "While net.py:2 ran, at the highest\n  22.00 MiB",
    );
    expect((await explain("trace.json", "--at", "end", "--lang", "zh")).out).toContain("结束时\n  已分配 20.12 MiB");
  });

  it("knows a single block, also one that is gone by then", async () => {
    const { out } = await explain("trace.json", "--block", "#1", "--at", "end");
    expect(out).toContain("#1  13.00 MiB  activations");
    expect(out).toContain("asked for 12.00 MiB, counts 13.00 MiB");
    expect(out).toContain("called from net.py:2");
  });

  it("is data with --json", async () => {
    const document = JSON.parse((await explain("trace.json", "--json", "--by", "op")).out);
    expect(document).toMatchObject({ event: 5, by: { op: { remainderBytes: 2 ** 20 } }, lookedForHolders: false });
    expect(document.largest[0]).toMatchObject({ index: 1, op: "aten::mm", place: { file: "net.py", line: 11 } });
  });

  it("without a graph has no saved tensors", async () => {
    expect((await explain("trace.json", "--saved")).out).toContain("Nothing was saved for backward.");
    expect((await explain("trace.json", "--saved", "--json")).out).toBe("null\n");
  });
});

describe("a script", () => {
  const holders: HolderTable = {
    event: 5,
    blocks: [{ block: 1, chains: [[{ kind: "python", steps: [["local", "h", "forward", "net.py", 12]] }]] }],
  };

  it("is run twice, the second time to look at the moment", async () => {
    const { code, out, options } = await cli(["explain", "net.py", "--top", "1"], { cwd, result: { holders } });
    expect(code).toBe(EXIT.ok);
    expect(options?.holdersAt).toBe(5);
    expect(out).not.toContain("hello");
    expect(out).toContain("What holds the largest blocks\n");
    expect(out).toContain("held by `h` in forward (net.py:12)");
  });

  it("says when the second run was another one", async () => {
    const { err } = await cli(["explain", "net.py"], { cwd, result: { holders: null } });
    expect(err).toContain("the second run took another course");
  });

  it("run with --why tells the holders in its report", async () => {
    const { out, options } = await cli(["run", "--why", "net.py"], { cwd, result: { holders } });
    expect(options?.holdersAt).toBe(5);
    expect(out).toContain("What holds the largest blocks at the peak");
    expect(out).toContain("held by `h` in forward (net.py:12)");
    const document = JSON.parse((await cli(["run", "--why", "--json", "net.py"], { cwd, result: { holders } })).out);
    expect(document.held.blocks[0].holders[0].text).toBe("`h` in forward (net.py:12)");
  });
});

it.each([
  [["explain"], "no script, trace or code of a finding given"],
  [["explain", "float32_logit"], "float32_logit is neither a file nor the code of a finding; codes: "],
  [["explain", "trace.json", "--at", "middle"], "--at cannot be 'middle'"],
  [["explain", "trace.json", "--at", "line:77"], "the trace has nothing at 'line:77'"],
  [["explain", "trace.json", "--by", "colour"], "--by cannot be 'colour'"],
  [["explain", "trace.json", "--block", "99"], "there is no block '99'; the trace has 6"],
  [["explain", "trace.json", "--top", "0"], "--top: '0' is not a whole number from 1 on"],
  [["explain", "other.json"], "no such file: other.json"],
])("%j is refused", async (args, expected) => {
  const { code, err, out } = await cli(args, { cwd });
  expect(err).toContain(expected);
  expect([code, out]).toEqual([EXIT.usage, ""]);
});
