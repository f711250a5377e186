/** A small trace made by hand; the comments are the sums that tests expect. */

import { MIB } from "../../src/base/bytes.ts";
import { TraceBuilder, type NewBlock } from "../../src/trace/builder.ts";
import type { Trace } from "../../src/trace/model.ts";

export const META = {
  source: "simulated",
  program: "net.py",
  gpu: "a100-80gb",
  capacityBytes: 64 * MIB,
  torch: "1.13",
};

export function block(fields: Partial<NewBlock> & { address: number; bytes: number }): NewBlock {
  return {
    requestedBytes: fields.bytes,
    stream: 0,
    frame: -1,
    op: -1,
    module: -1,
    phase: "forward",
    category: "temporary",
    dtype: null,
    shape: null,
    note: null,
    ...fields,
  };
}

/**
 * net.py:
 *   1  w = weight()                 4 MiB parameter, in a segment of 20 MiB
 *   2  y = net(w)                   calls
 *   11   h = w @ x                  needs 12 MiB, counts 13
 *   12   return proj(h)             4 MiB and, for a moment, 1 MiB of workspace; then h dies in line 2
 *   3  y.sum().backward()           8.125 MiB workspace and 4 MiB gradient
 */
export function sampleTrace(): Trace {
  const t = new TraceBuilder();
  recordSample(t);
  return t.finish(META);
}

export function recordSample(t: TraceBuilder): void {
  const module = t.module("Net");
  const proj = t.module("Net.proj");
  const [top, call, back] = [1, 2, 3].map((line) => t.frame(-1, "net.py", line, "<module>"));
  const product = t.frame(call!, "net.py", 11, "forward");
  const last = t.frame(call!, "net.py", 12, "forward");
  const mm = t.op("aten::mm");
  const addmm = t.op("aten::addmm");

  t.segment("segment_alloc", 0, 20 * MIB, { frame: top!, op: t.op("aten::empty") }, 0, 20 * MIB); // event 0
  const w = t.alloc(block({ address: 0, bytes: 4 * MIB, frame: top!, op: t.op("aten::empty") }), 4 * MIB, 20 * MIB); // 1
  t.setCategory(w, "parameter");
  t.describe(w, "float32", [1024, 1024]);
  const h = t.alloc(
    block({
      address: 4 * MIB,
      bytes: 13 * MIB,
      requestedBytes: 12 * MIB,
      frame: product,
      op: mm,
      module,
      category: "activation",
    }),
    17 * MIB,
    20 * MIB,
  ); // 2
  t.segment("segment_alloc", 32 * MIB, 20 * MIB, { frame: last, op: addmm }, 17 * MIB, 40 * MIB); // 3
  t.alloc(
    block({ address: 32 * MIB, bytes: 4 * MIB, frame: last, op: addmm, module: proj, category: "activation" }),
    21 * MIB,
    40 * MIB,
  ); // 4
  const lt = t.alloc(
    block({
      address: 36 * MIB,
      bytes: MIB,
      frame: last,
      op: addmm,
      module: proj,
      category: "workspace",
      note: "cublaslt_workspace_call",
    }),
    22 * MIB,
    40 * MIB,
  ); // 5
  t.free(lt, { frame: last, op: addmm, module: proj, phase: "forward" }, 21 * MIB, 40 * MIB); // 6
  t.free(h, { frame: call!, op: -1, module: -1, phase: "forward" }, 8 * MIB, 40 * MIB); // 7
  t.alloc(
    block({
      address: 4 * MIB,
      bytes: 8.125 * MIB,
      frame: back!,
      op: mm,
      phase: "backward",
      category: "workspace",
      note: "cublas_workspace:backward",
    }),
    16.125 * MIB,
    40 * MIB,
  ); // 8
  t.alloc(
    block({ address: 36 * MIB, bytes: 4 * MIB, frame: back!, op: mm, phase: "backward", category: "gradient" }),
    20.125 * MIB,
    40 * MIB,
  ); // 9
  t.mark("done", back!); // 10
  t.assumption("unverified_op", { op: "aten::mm" }, product);
  t.assumption("unverified_op", { op: "aten::mm" }, product);
  t.assumption("unknown_value", {}, back!);
}
