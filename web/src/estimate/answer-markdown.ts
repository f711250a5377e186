/** An answer as Markdown, for issues and notes: verdict, chain, and the command that repeats it. */

import type { Estimate } from "../../../src/estimate/index.ts";
import { message, type Locale } from "../../../src/i18n/index.ts";
import { recipeText } from "../../../src/report/estimate-text.ts";
import { plainPainter } from "../../../src/report/paint.ts";
import { gibibytes } from "../../../src/report/gibibytes.ts";

/** `estimates`: of one recipe, on one card or several; at least one. */
export function answerMarkdown(
  model: string,
  torch: string,
  estimates: readonly Estimate[],
  command: string,
  locale: Locale,
): string {
  const [first] = estimates;
  if (first === undefined) return "";
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const { parts, allocated, reserved } = first.chain;
  const chain: readonly (readonly [string, number])[] = [
    ...parts.map(({ id, bytes }) => [message(locale, `part_${id}`), bytes] as const),
    [`**${message(locale, "chain_allocated")}**`, allocated.bytes],
    [`**${message(locale, "chain_reserved")}**`, reserved.bytes],
  ];
  return [
    `**${cell(model)}** · ${recipeText(first, { locale, painter: plainPainter() })} · PyTorch ${torch}`,
    "",
    `| | ${message(locale, "gpus_column_total")} | ${message(locale, "chain_process")} | |`,
    "| --- | ---: | ---: | --- |",
    ...estimates.map(
      ({ gpu, chain: { capacityBytes, process }, fit }) =>
        `| ${cell(gpu.name)} | ${gibibytes(capacityBytes)} | ${gibibytes(process.bytes)} | ${message(locale, `estimate_${fit}`)} |`,
    ),
    "",
    "| | |",
    "| --- | ---: |",
    ...chain.map(([name, bytes]) => `| ${cell(name)} | ${gibibytes(bytes)} |`),
    "",
    "```sh",
    command,
    "```",
    "",
  ].join("\n");
}
