/** The words of the Estimate page in the language that is chosen, and figures as it shows them. */

import { GIB, MIB } from "../../../src/base/bytes.ts";
import type { Diagnostic } from "../../../src/base/diagnostic.ts";
import { messageOrCode } from "../../../src/i18n/index.ts";
import { locale } from "../state/settings.ts";
import { wordsOf } from "../words/index.ts";
import { choicesEn } from "./choices-en.ts";
import { choicesZh } from "./choices-zh-CN.ts";
export { gibibytes as gib } from "../../../src/report/gibibytes.ts";
import { estimateEn, type EstimateCode } from "./words-en.ts";
import { estimateZh } from "./words-zh-CN.ts";

export const estimateWords = wordsOf<EstimateCode>(estimateEn, estimateZh);

/** What the engine says, or the page. */
export function said(code: string, args: Diagnostic["args"] = {}): string {
  return Object.hasOwn(estimateEn, code)
    ? estimateWords(code as EstimateCode, args)
    : messageOrCode(locale.value, code, args);
}

/** A row of a table by its id; one that has no name yet is called by its id, as on the command line. */
export function choiceText(option: string, id: string): string {
  const names: Readonly<Record<string, string>> = locale.value === "zh" ? choicesZh : choicesEn;
  const key = `${option}:${id}`;
  return Object.hasOwn(names, key) ? names[key]! : id;
}

/** One decimal, for what is about. */
export function roughly(bytes: number): string {
  return bytes >= GIB ? `${(bytes / GIB).toFixed(1)} GiB` : `${Math.round(bytes / MIB)} MiB`;
}

/** `1,234,567 bytes` behind every figure. */
export const exactly = (bytes: number): string => estimateWords("exact_bytes", { count: grouped(Math.round(bytes)) });

export const grouped = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ",");

/** What an option is called; one that has no name here yet is called as on the command line. */
export function labelOf(option: string): string {
  const code = `label_${option.replaceAll("-", "_")}`;
  return Object.hasOwn(estimateEn, code) ? estimateWords(code as EstimateCode) : option;
}
