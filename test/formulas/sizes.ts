/** Programs of these tests at other sizes, by plain changes of their text: nothing here knows how formulas are found. */

import { readFileSync } from "node:fs";
import { basename } from "node:path";

type Sizes = Readonly<Record<string, number>>;

/** What to write for each symbol. */
const WRITTEN: Readonly<Record<string, (text: string, sizes: Sizes) => string>> = {
  "attention.py": (text, { B = 64, L = 32, C = 512, H = 8 }) =>
    text
      .replace("width=512, heads=8", `width=${C}, heads=${H}`)
      .replace("torch.randn(64, 32, 512)", `torch.randn(${B}, ${L}, ${C})`),
  "self_attention_16bit.py": assigned,
  "mlp_16bit.py": assigned,
  "megatron_layer.py": (text, { s = 128, b = 4, h = 512, a = 8 }) =>
    text
      .replace("sequence: int = 128", `sequence: int = ${s}`)
      .replace("batch: int = 4", `batch: int = ${b}`)
      .replace("hidden: int = 512", `hidden: int = ${h}`)
      .replace("heads: int = 8", `heads: int = ${a}`),
};

function assigned(text: string, sizes: Sizes): string {
  return Object.entries(sizes).reduce(
    (changed, [name, size]) => changed.replace(new RegExp(`^${name} = \\d+`, "m"), `${name} = ${size}`),
    text,
  );
}

export function programText(script: string, sizes: Sizes): string {
  return WRITTEN[basename(script)]!(readFileSync(script, "utf8"), sizes);
}

const HEADS = [1, 2, 4, 8, 16];

/** Five times random sizes that the program takes; the same in every run of the tests. */
export function atSizes(script: string): Sizes[] {
  let state = [...basename(script)].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 2 ** 31;
  const random = (low: number, high: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return low + (state % (high - low + 1));
  };
  return Array.from({ length: 5 }, (): Sizes => {
    const heads = HEADS[random(1, HEADS.length - 1)]!;
    const width = heads * random(5, 90);
    const [batch, length] = [random(2, 40), random(9, 300)];
    return basename(script) === "attention.py"
      ? { B: batch, L: length, C: width, H: heads }
      : basename(script) === "megatron_layer.py"
        ? { s: length, b: batch, h: width, a: heads }
        : { b: batch, s: length, d: width, h: heads };
  });
}
