/** Figures of the Estimate page that are no simulation: fits between points, bars, curves, headers of dropped files. */

import { describe, expect, it } from "vitest";
import { GIB } from "../../src/base/bytes.ts";
import { ModelFileError } from "../../src/formats/model-file-error.ts";
import type { Chain } from "../../src/estimate/index.ts";
import type { Digest } from "../../src/trace/digest.ts";
import { pieceBytes, roundStep, scaleOf } from "../../web/src/estimate/bars.ts";
import { lastValue, pathOf, scalesOf, valuesBetween } from "../../web/src/estimate/curve.ts";
import { readDropped } from "../../web/src/estimate/dropped-files.ts";
import { aboutAt, edgeAlong, errorOf, worthKnowing, type Point } from "../../web/src/estimate/size-fit.ts";
import { GGUF_BYTES, ggufSample } from "../formats/model-file-samples.ts";

/** A model whose memory is a polynomial: fixed weights, activations with b·s and b·s², logits with b·s, adapters with the rank. */
function digestAt([batch = 0, length = 0, rank = 0]: readonly number[]): Digest {
  const weights = 16e9 + 4e6 * rank;
  const activations = 34 * 4096 * batch * length + 5 * batch * length ** 2 + 2e5 * length + 3e3 * rank * batch;
  const temporaries = 12 * 128_256 * batch * length;
  const allocatedPeakBytes = weights + activations + temporaries + 1e6;
  return {
    allocatedPeakBytes,
    allocatedHighBytes: allocatedPeakBytes + 100 * batch,
    reservedPeakBytes: allocatedPeakBytes + 7 * batch * length,
    allocatedEndBytes: weights,
    peak: { phase: "backward", op: null, line: 1 },
    components: [
      { category: "parameter", bytes: weights },
      { category: "activation", bytes: activations },
      { category: "temporary", bytes: temporaries },
    ],
    remainderBytes: 1e6,
    modules: [],
    phases: [],
    elements: { parameters: 8e9, trained: 0 },
    assumptions: [],
    libraryHighBytes: 0,
    released: false,
  };
}
const pointAt = (...sizes: readonly number[]): Point => ({ sizes, digest: digestAt(sizes) });

describe("a fit through points", () => {
  const points = [
    pointAt(1, 2048, 16),
    pointAt(4, 2048, 16),
    pointAt(1, 1024, 16),
    pointAt(1, 4096, 16),
    pointAt(4, 1024, 16),
    pointAt(2, 8192, 16),
  ];

  it.each([[[2, 2048, 16]], [[16, 2048, 16]], [[3, 6000, 16]], [[64, 512, 16]]])(
    "finds a polynomial again at %j",
    (sizes) => {
      const about = aboutAt(points, sizes)!;
      const real = digestAt(sizes);
      expect(about.reservedPeakBytes / real.reservedPeakBytes).toBeCloseTo(1, 3);
      expect(about.allocatedPeakBytes / real.allocatedPeakBytes).toBeCloseTo(1, 5);
      for (const [index, { category, bytes }] of real.components.entries()) {
        expect(about.components[index]!.category).toBe(category);
        expect(about.components[index]!.bytes / bytes).toBeCloseTo(1, 4);
      }
    },
  );

  it("adds up, and is the point itself where there is one", () => {
    const about = aboutAt(points, [5, 3000, 16])!;
    const sum = about.components.reduce((total, { bytes }) => total + bytes, about.remainderBytes);
    expect(sum).toBe(about.allocatedPeakBytes);
    expect(aboutAt(points, [4, 2048, 16])).toBe(points[1]!.digest);
  });

  it("takes everything but weights and states as proportional where there is one point only", () => {
    const about = aboutAt([pointAt(1, 2048, 16)], [2, 2048, 16])!;
    const one = digestAt([1, 2048, 16]);
    const by = (digest: Digest, category: string): number =>
      digest.components.find((entry) => entry.category === category)!.bytes;
    expect(by(about, "parameter")).toBe(by(one, "parameter"));
    expect(by(about, "activation")).toBe(2 * by(one, "activation"));
    expect(aboutAt([], [1, 1, 1])).toBeNull();
  });

  it("says how far it is off: hardly for a polynomial, by more for something else", () => {
    const more = [...points, pointAt(2, 2048, 16)];
    expect(errorOf(more)!).toBeLessThan(1e-3);
    const odd = pointAt(2, 2048, 16);
    const jump = { ...odd, digest: { ...odd.digest, reservedPeakBytes: 1.1 * odd.digest.reservedPeakBytes } };
    expect(errorOf([...points, jump])!).toBeGreaterThan(0.01);
    expect(errorOf(points.slice(0, 2))).toBeNull();
  });

  it("asks for points within the model's limits, each once", () => {
    const wanted = worthKnowing([1, 2048, 256], "infer", [256, 4096, null]);
    expect(wanted.every(([batch = 0, length = 0]) => batch <= 256 && length <= 4096)).toBe(true);
    expect(new Set(wanted.map(String)).size).toBe(wanted.length);
    expect(wanted.some(([batch]) => batch !== 1) && wanted.some(([, length]) => length !== 2048)).toBe(true);
  });

  it("finds where the card ends", () => {
    const edge = edgeAlong(points, [1, 2048, 16], 0, 80e9, [256, null, null])!;
    const before = digestAt([edge[0]! / 2, 2048, 16]).reservedPeakBytes;
    expect([before <= 80e9, digestAt(edge).reservedPeakBytes > 80e9]).toEqual([true, true]);
    expect(edgeAlong(points, [1, 2048, 16], 0, 1e15, [4, null, null])).toEqual([4, 2048, 16]);
    expect(edgeAlong(points, [1, 2048, 16], 1, 1e15, [4, 2048, null])).toBeNull();
    const down = edgeAlong(points, [64, 2048, 16], 0, 80e9, [256, null, null])!;
    const above = digestAt([2 * down[0]!, 2048, 16]).reservedPeakBytes;
    expect([digestAt(down).reservedPeakBytes <= 80e9, above > 80e9]).toEqual([true, true]);
  });
});

const exact = (bytes: number) => ({ bytes, lowBytes: bytes, highBytes: bytes });
const CHAIN: Chain = {
  parts: [
    { id: "weights", ...exact(15 * GIB) },
    { id: "activations", ...exact(20 * GIB) },
  ],
  allocated: exact(35 * GIB),
  reserved: exact(38 * GIB),
  process: { bytes: 39 * GIB, lowBytes: 38.5 * GIB, highBytes: 40 * GIB },
  capacityBytes: 24 * GIB,
};

describe("a bar", () => {
  it("has parts, cache and context one after another, up to what is needed", () => {
    expect(pieceBytes(CHAIN).map(({ id, bytes }) => [id, bytes / GIB])).toEqual([
      ["weights", 15],
      ["activations", 20],
      ["cached", 3],
      ["context", 1],
    ]);
  });

  it("has room for the largest of several", () => {
    expect(scaleOf([CHAIN, { ...CHAIN, capacityBytes: 80 * GIB }])).toBeCloseTo(1.02 * 80 * GIB);
    expect(scaleOf([CHAIN])).toBeCloseTo(1.02 * 40 * GIB);
  });

  it("has round steps", () => {
    expect([roundStep(83, 5), roundStep(0.9, 5), roundStep(1000, 4)]).toEqual([20, 0.2, 500]);
  });
});

describe("a curve", () => {
  const bytesAt = (value: number): number => 10 * value;

  it("goes to where the card is full, and one stop beyond the current value", () => {
    const stops = [1, 2, 4, 8, 16, 32];
    expect(lastValue(stops, 1, 50, bytesAt)).toBe(8);
    expect(lastValue(stops, 16, 50, bytesAt)).toBe(32);
    expect(lastValue(stops, 1, 1e9, bytesAt)).toBe(32);
  });

  it("draws whole numbers in order, the known ones among them", () => {
    expect(valuesBetween(1, 4, 48, [2])).toEqual([1, 2, 3, 4]);
    const values = valuesBetween(128, 8192, 10, [3000, 9999]);
    expect(values).toContain(3000);
    expect(values).not.toContain(9999);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
  });

  it("fills its frame", () => {
    const frame = { width: 400, height: 200, left: 50, right: 10, top: 10, bottom: 20 };
    const scales = scalesOf(frame, 8, 80 * GIB, GIB);
    expect([scales.x(0), scales.x(8), scales.y(0)]).toEqual([50, 390, 180]);
    expect(scales.y(80 * GIB)).toBeGreaterThanOrEqual(10);
    expect(scales.yTicks.map((bytes) => bytes / GIB)).toEqual([0, 20, 40, 60, 80]);
    const points = [0, 8].map((value) => ({ value, allocatedBytes: 0, processBytes: 0, simulated: true }));
    expect(pathOf(points, scales, () => 0)).toBe("M50.0 180.0L390.0 180.0");
  });
});

/** A file that counts how much of it is read, and pretends to be larger than it is. */
function watched(name: string, bytes: Uint8Array, size: number): { file: File; most: () => number } {
  let most = 0;
  const whole = new Blob([bytes as Uint8Array<ArrayBuffer>]);
  const file = {
    name,
    size,
    webkitRelativePath: "",
    slice: (from: number, to: number) => {
      most = Math.max(most, to);
      return whole.slice(from, Math.min(to, bytes.length));
    },
  };
  return { file: file as unknown as File, most: () => most };
}

function safetensors(tensors: Readonly<Record<string, object>>): Uint8Array {
  const header = new TextEncoder().encode(JSON.stringify(tensors));
  const bytes = new Uint8Array(8 + header.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(header.length), true);
  bytes.set(header, 8);
  return bytes;
}

describe("dropped files", () => {
  it("are read no further than their header", async () => {
    const tensors = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, index) => [
        `model.layers.${index}.weight`,
        { dtype: "BF16", shape: [1024, 1024], data_offsets: [index * 2 ** 21, (index + 1) * 2 ** 21] },
      ]),
    );
    const { file, most } = watched("model.safetensors", safetensors(tensors), 60 * GIB);
    const found = await readDropped([file]);
    expect([found.kind, found.tensors.length, found.weightBytes]).toEqual(["safetensors", 30_000, 30_000 * 2 ** 21]);
    expect(most()).toBeLessThan(8 * 2 ** 20);
  });

  it("speak together: a configuration beside weights", async () => {
    const config = new File([JSON.stringify({ model_type: "llama", hidden_size: 64 })], "config.json");
    const one = safetensors({ weight: { dtype: "F32", shape: [2, 3], data_offsets: [0, 24] } });
    const { file } = watched("model.safetensors", one, one.length + 24);
    const found = await readDropped([file, config]);
    expect([found.config?.["hidden_size"], found.weightBytes, found.dataIsCut]).toEqual([64, 24, false]);
  });

  it("are read further where a vocabulary stands in the header", async () => {
    const words = Array.from({ length: 200_000 }, (_, index) => `word ${index}`);
    const bytes = new Uint8Array(ggufSample([["tokenizer.ggml.merges", 9, [8, words]]]));
    expect(bytes.length).toBeGreaterThan(3 * 2 ** 20);
    const { file, most } = watched("model.gguf", bytes, 5 * GIB);
    const found = await readDropped([file]);
    expect([found.kind, found.weightBytes]).toEqual(["gguf", GGUF_BYTES]);
    expect(most()).toBeLessThan(3 * bytes.length);
  });

  it("that are no model are refused", async () => {
    const odd = [new File(["hello"], "notes.txt"), new File(["{"], "config.json"), new File(["GGUF\u0003"], "a.gguf")];
    for (const file of odd) await expect(readDropped([file])).rejects.toBeInstanceOf(ModelFileError);
  });
});
