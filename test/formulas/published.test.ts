/**
 * Formulas that papers and articles publish, from programs that do what they describe. Published: an attention article's
 * BLC*8 + BHLL; self-attention 11bsd + 5bhs^2 and MLP 19bsd; the layer of Korthikanti et al., sbh(34 + 5as/h), which leaves out
 * what layer norms keep of their statistics: two norms with mean and reciprocal deviation in float32, 16 bytes per token.
 */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { savedTable } from "../../src/explain/saved-table.ts";
import { vramscope } from "../built.ts";
import { ROOT } from "../helpers.ts";
import { atSizes, programText } from "./sizes.ts";

const { evaluateFormula, formatFormula, parseFormula, run, sameFormula } = vramscope;
const program = (name: string): string => join(ROOT, "test", "formulas", "programs", name);

const RECIPES = [
  {
    script: join(ROOT, "examples", "attention.py"),
    torch: "1.13",
    symbols: ["B,L,C,H"],
    saved: { float32: "5*B*L*C + B*H*L*L" },
    bytes: "4*(5*B*L*C + B*H*L*L)",
  },
  {
    script: program("self_attention_16bit.py"),
    symbols: ["b,s,d,h"],
    saved: { bfloat16: "5*b*s*d + 2*b*h*s*s", bool: "b*s*d + b*h*s*s" },
    bytes: "11*b*s*d + 5*b*h*s^2",
  },
  {
    script: program("mlp_16bit.py"),
    symbols: ["b,s,d"],
    saved: { bfloat16: "9*b*s*d", bool: "b*s*d" },
    bytes: "19*b*s*d",
  },
  {
    script: program("megatron_layer.py"),
    symbols: ["s=sequence,b=batch", "h=cfg.hidden,a=heads"],
    saved: { bfloat16: "16*s*b*h + 2*a*b*s*s", bool: "2*s*b*h + a*b*s*s", float32: "4*s*b" },
    bytes: "34*s*b*h + 5*a*b*s^2 + 16*s*b",
  },
];

const results = new Map<string, ReturnType<typeof run>>();
/** One run per program is enough. */
function formulasOf(script: string, symbols: readonly string[], torch?: string) {
  const result = results.get(script) ?? run({ script, torch, symbols });
  results.set(script, result);
  return result;
}

describe.each(RECIPES)("$bytes", ({ script, torch, symbols, saved, bytes }) => {
  it("comes out of the program, and equals plain runs at five other sizes to the byte", async () => {
    const { formulas } = await formulasOf(script, symbols, torch);
    expect(formulas).toBeDefined();
    const { formula } = formulas!.saved;
    expect(formatFormula(formula.bytes)).toBe(formatFormula(parseFormula(bytes)));
    expect(Object.keys(formula.elements).sort()).toEqual(Object.keys(saved).sort());
    for (const [dtype, elements] of Object.entries(saved)) {
      expect(sameFormula(formula.elements[dtype]!, parseFormula(elements))).toBe(true);
    }
    expect(formulas!.checks.length).toBe(5);
    for (const check of formulas!.checks) {
      expect(check.peakBytes).toBe(check.formulaBytes + check.apartBytes);
      expect(check.apart.map(({ kind }) => kind)).not.toContain("irregular");
    }

    for (const sizes of atSizes(script)) {
      const plain = await run({ script, torch, source: programText(script, sizes) });
      expect(plain.status).toBe("ok");
      const { trace, stats } = plain;
      const table = savedTable(trace)!;
      const held = [...table.kept, ...table.there].filter(
        ({ block }) => !["parameter", "buffer"].includes(block.category),
      );
      expect(held.reduce((sum, { block }) => sum + block.requestedBytes, 0)).toBe(
        evaluateFormula(formula.bytes, sizes),
      );
      const tensors = trace.blocks.filter(
        (block) =>
          block.note === null &&
          block.allocEvent <= stats.peakEvent &&
          (block.freeEvent === -1 || block.freeEvent > stats.peakEvent),
      );
      const tensorBytes = tensors.reduce((sum, block) => sum + block.requestedBytes, 0);
      expect(formulas!.peak.map((moment) => evaluateFormula(moment.formula.bytes, sizes))).toContain(tensorBytes);
    }
  }, 60_000);
});

it("an attention forward makes 8*B*L*C + B*H*L*L elements and holds them at its peak", async () => {
  const { formulas } = await formulasOf(join(ROOT, "examples", "attention.py"), ["B,L,C,H"], "1.13");
  const text = (polynomial: Parameters<typeof formatFormula>[0]) =>
    formatFormula(polynomial, { symbols: ["B", "L", "C", "H"] });
  const attention = formulas!.modules.find(({ module }) => module === "Attention")!;
  expect(text(attention.peak.elements["float32"]!)).toBe("8*B*L*C + B*H*L*L");
  expect(text(formulas!.peak[0]!.formula.elements["float32"]!)).toBe("C + 4*C*C + 9*B*L*C + B*H*L*L");
  const lines = formulas!.lines.map(({ line, peak }) => [line, text(peak.elements["float32"]!)]);
  expect(Object.fromEntries(lines)).toMatchObject({
    35: "3*B*L*C",
    40: "2*B*L*C",
    42: "B*H*L*L",
    46: "2*B*L*C",
    49: "B*L*C",
  });
  expect(formulas!.peak[0]!.apart.map(({ kind, bytes }) => [kind, bytes])).toEqual([
    ["remainder", 2 ** 20],
    ["scratch", 2 ** 20],
  ]);
});

it("the number of layers can be a symbol", async () => {
  const script = program("megatron_layer.py");
  const source = programText(script, {}).replace("layers: int = 1", "layers: int = 2");
  const { formulas } = await run({ script, source, symbols: ["s=sequence,b=batch,h=hidden,a=heads,N=layers"] });
  const published = parseFormula("N*(34*s*b*h + 5*a*b*s^2 + 16*s*b)");
  expect(sameFormula(formulas!.saved.formula.bytes, published)).toBe(true);
}, 180_000);
