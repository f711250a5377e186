// A made-up training run of any length: layers save tensors, backward releases them, each step in new blocks.
const MIB = 2 ** 20;
const LAYERS = 32;
const OPS = 8;

/** @param TraceBuilder the class; tests hand in that of the sources, the benchmark that of the build */
export function longTraining(TraceBuilder, wantedEvents) {
  const t = new TraceBuilder();
  const main = t.frame(-1, "train.py", 90, "<module>");
  const lines = Array.from({ length: LAYERS * OPS }, (_, i) =>
    t.frame(t.frame(main, "model.py", 50, "forward"), "model.py", 100 + (i % 40), "block"),
  );
  const modules = Array.from({ length: LAYERS * OPS }, (_, i) =>
    t.module(`Model.layers.${Math.floor(i / OPS)}.part${i % OPS}`),
  );
  const ops = ["aten::mm", "aten::add", "aten::mul", "aten::native_layer_norm", "aten::_softmax"].map((name) =>
    t.op(name),
  );
  let allocated = 0;
  let reserved = 0;
  const base = { stream: 0, dtype: "float32", shape: [1024, 256], note: null, phase: "forward" };
  const reserve = 4096 * MIB;
  t.segment("segment_alloc", 0, reserve, { frame: main, op: -1, phase: "other" }, 0, reserve);
  reserved = reserve;
  const alloc = (address, bytes, extra) => {
    allocated += bytes;
    return t.alloc(
      { ...base, address, bytes, requestedBytes: bytes - (address % 7 === 0 ? 0 : 600), ...extra },
      allocated,
      reserved,
    );
  };
  const free = (block, bytes, frame, op, module, phase) => {
    allocated -= bytes;
    t.free(block, { frame, op, module, phase }, allocated, reserved);
  };
  for (let i = 0; i < 64; i++)
    alloc(2048 * MIB + i * MIB, MIB, { frame: main, op: ops[0], module: -1, category: "parameter", phase: "other" });
  alloc(2200 * MIB, 8.125 * MIB, {
    frame: main,
    op: ops[0],
    module: -1,
    category: "workspace",
    note: "cublas_workspace:main",
  });
  while (t.eventCount < wantedEvents) {
    const kept = [];
    for (let i = 0; i < LAYERS * OPS; i++) {
      const where = { frame: lines[i], op: ops[i % ops.length], module: modules[i] };
      const scratch = alloc(3000 * MIB, MIB, { ...where, category: "temporary" });
      const block = alloc(i * 2 * MIB, 2 * MIB, { ...where, category: "activation" });
      free(scratch, MIB, where.frame, where.op, where.module, "forward");
      const saved = t.saved({
        block,
        node: "MulBackward0",
        slot: "self",
        shape: [1024, 256],
        dtype: "float32",
        frame: where.frame,
        module: where.module,
      });
      kept.push({ block, saved, where });
    }
    for (const { block, saved, where } of kept.reverse()) {
      const scratch = alloc(3000 * MIB, MIB, { ...where, frame: main, category: "temporary", phase: "backward" });
      t.savedEnded(saved, "backward", main);
      free(block, 2 * MIB, main, where.op, where.module, "backward");
      free(scratch, MIB, main, where.op, where.module, "backward");
    }
  }
  return t.finish({
    source: "simulated",
    program: "train.py",
    gpu: "a100-80gb",
    capacityBytes: 80 * 1024 * MIB,
    torch: "2.14",
  });
}

/** The same operator at the same line over and over, each call with scratch memory of its own. */
export function oneLine(TraceBuilder, wantedEvents) {
  const t = new TraceBuilder();
  const frame = t.frame(-1, "loop.py", 3, "<module>");
  const op = t.op("aten::addmm");
  const reserved = 64 * MIB;
  t.segment("segment_alloc", 0, reserved, { frame, op, phase: "other" }, 0, reserved);
  const base = { stream: 0, frame, op, module: -1, phase: "other", dtype: null, shape: null };
  const take = (address, bytes, total, extra) =>
    t.alloc({ ...base, address, bytes, requestedBytes: bytes, ...extra }, total, reserved);
  let before = take(0, 2 * MIB, 2 * MIB, { category: "temporary", note: null });
  for (let i = 0; t.eventCount < wantedEvents; i++) {
    const result = take(((i + 1) % 2) * 2 * MIB, 2 * MIB, 4 * MIB, { category: "temporary", note: null });
    const scratch = take(8 * MIB, MIB, 5 * MIB, { category: "workspace", note: "cublaslt_workspace_call" });
    t.free(scratch, { frame, op, module: -1, phase: "other" }, 4 * MIB, reserved);
    t.free(before, { frame, op, module: -1, phase: "other" }, 2 * MIB, reserved);
    before = result;
  }
  return t.finish({
    source: "simulated",
    program: "loop.py",
    gpu: "a100-80gb",
    capacityBytes: 80 * 1024 * MIB,
    torch: "1.13",
  });
}
