/** Workspaces of recurrent layers are those that a real H100 took: rows of the records (test/record), one of each sort of kernel. */

import { expect, test } from "vitest";
import { findGpu } from "../../src/gpus/catalogue.ts";
import { recurrentWorkspace } from "../../src/ops/recurrent-workspace.ts";

const KINDS = { rnn: { mode: 1, gates: 1 }, lstm: { mode: 2, gates: 4 }, gru: { mode: 3, gates: 3 } };

/** Kind, input, hidden, length, batch, layers, directions, dropout, type, recorded bytes. */
type Row = readonly [keyof typeof KINDS, number, number, number, number, number, number, number, string, number];
// prettier-ignore
const ROWS: readonly Row[] = [
  ["lstm", 256, 512, 64, 32, 1, 1, 0, "float32", 38_404_608],
  ["lstm", 256, 512, 64, 32, 1, 1, 0, "float16", 56_885_760],
  ["lstm", 256, 512, 64, 32, 1, 1, 0, "bfloat16", 23_396_864],
  ["lstm", 1024, 1024, 128, 16, 1, 1, 0, "float32", 92_995_968],
  ["lstm", 50, 64, 128, 64, 1, 1, 0, "float32", 54_315_776],
  ["lstm", 50, 64, 128, 64, 1, 1, 0, "bfloat16", 14_591_744],
  ["lstm", 200, 200, 64, 32, 2, 1, 0.2, "float32", 31_318_528],
  ["lstm", 128, 256, 64, 32, 1, 2, 0, "float32", 51_118_592],
  ["lstm", 64, 128, 32, 8, 1, 2, 0, "float16", 19_206_464],
  ["lstm", 512, 128, 1, 20, 2, 1, 0, "float32", 19_145_120],
  ["lstm", 16, 100, 35, 20, 3, 1, 0, "float16", 28_637_440],
  ["gru", 256, 512, 64, 32, 1, 1, 0, "float32", 34_406_912],
  ["gru", 512, 128, 128, 20, 1, 1, 0, "float32", 47_444_384],
  ["gru", 512, 256, 10, 64, 3, 1, 0, "bfloat16", 31_359_744],
  ["gru", 128, 256, 64, 32, 2, 2, 0, "float32", 68_813_312],
  ["gru", 64, 128, 32, 8, 2, 1, 0.1, "float16", 18_456_896],
  ["rnn", 128, 256, 64, 32, 1, 1, 0, "float32", 38_339_072],
  ["rnn", 128, 256, 64, 32, 1, 1, 0, "bfloat16", 13_910_528],
  ["rnn", 128, 128, 35, 20, 3, 1, 0, "float32", 31_478_176],
  ["rnn", 300, 256, 10, 8, 1, 1, 0, "float16", 9_333_696],
  ["lstm", 512, 1024, 70, 32, 2, 1, 0.2, "float32", 137_757_184],
  ["gru", 512, 1024, 71, 32, 2, 1, 0, "float32", 104_006_144],
  ["gru", 512, 1024, 70, 32, 2, 1, 0.2, "float32", 112_591_360],
];

test.each(ROWS)("%s %i -> %i, %i x %i, %i layers, %i ways, dropout %d, %s", (...row) => {
  const [kind, input, hidden, length, batch, layers, ways, dropout, dtype, recorded] = row;
  const gpu = findGpu("h100");
  if (!gpu.ok) throw new Error("h100");
  const { mode, gates } = KINDS[kind];
  let matrices = 0;
  for (let layer = 0; layer < layers; layer++)
    matrices += ways * gates * hidden * ((layer === 0 ? input : hidden * ways) + hidden);
  const bytes = recurrentWorkspace(
    {
      mode,
      rows: length * batch,
      batch,
      input_size: input,
      hidden_size: hidden,
      proj_size: 0,
      num_layers: layers,
      bidirectional: ways === 2,
      packed: false,
      dropout,
      matrices,
      dtype,
      itemBytes: dtype === "float32" ? 4 : 2,
    },
    gpu.value,
    "backward",
  );
  expect(Math.ceil(bytes / 512)).toBe(Math.ceil(recorded / 512));
});
