/** The page's own words in the language that is chosen; what the engine says is worded in src/i18n. */

import { formatBytes } from "../../../src/base/bytes.ts";
import { locale } from "../state/settings.ts";
import { shellEn } from "./shell-en.ts";
import { shellZh } from "./shell-zh-CN.ts";

export type WordArgs = Readonly<Record<string, string | number>>;

/** Fills in arguments: a byte count where the name ends in `bytes`, `{count#line#lines}` one of two words by a number. */
export function fillIn(text: string, args: WordArgs): string {
  return text.replace(/\{(\w+)(?:#([^#}]*)#([^#}]*))?\}/g, (placeholder, name: string, one?: string, many?: string) => {
    const value = args[name];
    if (value === undefined) return placeholder;
    if (one !== undefined && many !== undefined) return value === 1 ? one : many;
    return typeof value === "number" && /bytes$/i.test(name) ? formatBytes(value) : String(value);
  });
}

/** A function that words the codes of one part of the page; each part brings its tables, loaded with it. */
export function wordsOf<Code extends string>(
  en: Readonly<Record<Code, string>>,
  zh: Readonly<Record<Code, string>>,
): (code: Code, args?: WordArgs) => string {
  return (code, args = {}) => fillIn((locale.value === "zh" ? zh : en)[code], args);
}

export type ShellCode = keyof typeof shellEn;
export const shellWords = wordsOf<ShellCode>(shellEn, shellZh);
