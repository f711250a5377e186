/**
 * Programs that restate published measurements, unmodified. They lie beside the repository on some machines. Each figure comes
 * out as published, or the run says by which rule it differs: then the difference itself is checked.
 */

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const FOLDER = fileURLToPath(new URL("../../../shared/measured/", import.meta.url));
const here = existsSync(FOLDER);
const NEEDS = here ? "" : " (skipped: no ../shared/measured on this machine)";

interface Figure {
  readonly point: string;
  readonly value: number;
}
const cases = new Map<string, readonly Figure[]>(
  here
    ? (JSON.parse(readFileSync(`${FOLDER}cases.json`, "utf8")) as { id: string; figures: Figure[] }[]).map((c) => [
        c.id,
        c.figures,
      ])
    : [],
);

interface Run {
  readonly script: string;
  readonly argv?: readonly string[];
  readonly gpu: string;
  readonly torch: string;
  /** What stands before a figure in the output, by case and point. */
  readonly line: (id: string, point: string) => string;
  readonly cases: readonly string[];
  /** Largest relative error; 0: to the digit. */
  readonly within?: number;
  /** Stored as float32 in the source. */
  readonly float32?: boolean;
  /** Published minus printed, and why. */
  readonly differs?: { readonly why: string; readonly by: (id: string, point: string) => number };
}

const numbers = (text: string): string[] => text.match(/\d+/g) ?? [];
const swept =
  (kind: string) =>
  (_: string, point: string): string =>
    `${kind} ${numbers(point)[0]} `;
const courseAttention = [
  "16-s256",
  "16-s4096",
  "32-s1024",
  "32-s4096",
  "32-s8192",
  "64-s1024",
  "64-s8192",
  "128-s256",
  "128-s1024",
];
const wedLine = (kind: string) => (id: string, point: string) =>
  `${kind} ${id.split("-s").at(-1)} ${numbers(point)[0]} `;

// prettier-ignore
const RUNS: readonly Run[] = [
  { script: "cs336_attention.py", gpu: "rtx-4090", torch: "2.6", cases: courseAttention.map((size) => `cs336-attn-d${size}`), line: (id) => `${numbers(id)[1]} ${numbers(id)[2]} ` },
  { script: "wed_attention.py", gpu: "h100-80gb", torch: "2.11", cases: ["wed-attn-eager-s16384"], line: wedLine("eager") },
  { script: "wed_attention.py", gpu: "h100-80gb", torch: "2.11", cases: ["wed-attn-compile-s256", "wed-attn-compile-s4096", "wed-attn-compile-s16384"], line: wedLine("compile") },
  { script: "liger_cross_entropy.py", argv: ["4096", "8192", "16384", "32768", "65536", "131072"], gpu: "a100-80gb", torch: "2.4", cases: ["liger-cross_entropy-huggingface-full-00"], line: swept("V"), float32: true },
  { script: "liger_kl_div.py", argv: ["kl", "4096", "8192", "16384", "32768", "65536"], gpu: "h100-80gb-pcie", torch: "2.4", cases: ["liger-kl_div-torch-full-14"], line: swept("kl"), float32: true },
  { script: "liger_kl_div.py", argv: ["tvd", "4096", "8192", "16384", "32768", "65536"], gpu: "h100-80gb", torch: "2.10", cases: ["liger-tvd-torch-full-48"], line: swept("tvd"), float32: true },
  { script: "liger_mlp.py", argv: ["geglu", "1024", "2048", "4096", "8192"], gpu: "a100-80gb", torch: "2.4", cases: ["liger-geglu-huggingface-backward-08"], line: swept("geglu"), float32: true },
  { script: "liger_norms.py", argv: ["layer", "1024", "2048", "4096", "8192", "16384"], gpu: "h100-80gb", torch: "2.7", cases: ["liger-layer_norm-huggingface-full-37"], line: swept("layer"), float32: true },
  { script: "pt_50990_conv.py", gpu: "v100-16gb", torch: "1.12", cases: ["pt-50990-fp32"], line: () => "torch.float32 ",
    differs: { why: "a workspace that cuDNN 7.6 chose", by: () => 40_448 } },
  { script: "rasbt_gpt2xl_load.py", argv: ["twice"], gpu: "a100-40gb", torch: "2.4", cases: ["rasbt-gpt2xl-load-twice"], line: () => "after load " },
  { script: "rasbt_gpt2xl_load.py", argv: ["sequential"], gpu: "a100-40gb", torch: "2.4", cases: ["rasbt-gpt2xl-sequential-before"], line: () => "model " },
  { script: "rasbt_gpt124m_train.py", argv: ["bf16"], gpu: "a100-80gb", torch: "2.6", cases: ["rasbt-train-05-bf16"], line: () => "reserved ", within: 0.01 },
  { script: "rasbt_gpt124m_train.py", argv: ["sdpa"], gpu: "a100-80gb", torch: "2.6", cases: ["rasbt-train-07-sdpa"], line: () => "reserved ", within: 0.01 },
];

/** A number as the source prints or stores it: as many decimals, or a float32. */
function asPublished(printed: number, value: number, float32: boolean): number {
  if (float32) return Math.fround(printed);
  return Number(printed.toFixed(String(value).split(".")[1]?.length ?? 0));
}

function escape(text: string): string {
  return text.replaceAll(".", "\\.");
}

describe.skipIf(!here)(`published programs${NEEDS}`, () => {
  for (const { script, argv = [], gpu, torch, cases: ids, line, within = 0, float32 = false, differs } of RUNS) {
    const title = [script, ...argv.slice(0, 1), ...ids.slice(0, 1)].join(" ");
    it(
      differs ? `${title}: differs by ${differs.why}` : title,
      async () => {
        const result = await vramscope.run({ script: `${FOLDER}scripts/${script}`, argv: [...argv], gpu, torch });
        expect(result.errorText ?? "").toBe("");
        for (const id of ids)
          for (const { point, value } of cases.get(id)!) {
            if (argv.length > 1 && !argv.includes(numbers(point)[0])) continue;
            const printed = Number(new RegExp(`${escape(line(id, point))}(\\S+)`).exec(result.stdout)?.[1]);
            const ours = printed + (differs?.by(id, point) ?? 0);
            if (within > 0) expect(Math.abs(ours / value - 1)).toBeLessThan(within);
            else expect([id, point, asPublished(ours, value, float32)]).toEqual([id, point, value]);
          }
      },
      180_000,
    );
  }
});

/**
 * These restate their measurement so freely that the published figures are not theirs: the rotary angles come of a product
 * of elements instead of a matrix product with its workspace, the embedding is narrower, or a peak counts no inputs. So they
 * only have to print what the real PyTorch 2.6 prints for them with a stand-in for the device (kernel temporaries off);
 * programs that rebuild the measurements are in `programs/`.
 */
// prettier-ignore
const AS_REAL = [
  { script: "liger_rope.py", argv: [], printed: "H sweep [(512, 13.31298828125), (2048, 53.25048828125), (8192, 213.00048828125)]\nT sweep [(1024, 106.50048828125), (2048, 213.00048828125), (4096, 426.00048828125)]\n" },
  { script: "liger_embedding.py", argv: [], printed: "V 1024 108.125\nV 2048 120.125\nV 4096 144.125\n" },
  { script: "liger_norms.py", argv: ["rms"], printed: "rms 1024 80.01953125\nrms 2048 160.03125\nrms 4096 320.0546875\n" },
  { script: "liger_norms.py", argv: ["group"], printed: "group 1024 1280.28125\ngroup 2048 2560.5625\ngroup 4096 5121.125\n" },
  { script: "xformers_vanilla_attention.py", argv: [], printed: "127 16 fwd 0.1318359375 bwd 0.1240234375\n127 32 fwd 0.1396484375 bwd 0.1240234375\n" },
  { script: "cs336_lm_snapshot.py", argv: ["medium", "128", "training", "fp32"], printed: "start 5101219840 7230980096\npeak 7026606592 end 6816891392 7230980096\n" },
];

describe.skipIf(!here)(`programs as the real PyTorch prints them${NEEDS}`, () => {
  for (const { script, argv, printed } of AS_REAL)
    it(`${script} ${argv.join(" ")}`, async () => {
      const path = `${FOLDER}scripts/${script}`;
      const result = await vramscope.run({ script: path, argv, torch: "2.6", kernelTemporaries: "off" });
      expect(result.errorText ?? "").toBe("");
      expect(result.stdout.startsWith(printed)).toBe(true);
    }, 180_000);
});
