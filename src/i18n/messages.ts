/** Wording: turns codes and arguments into sentences of a language. */

import { formatBytes } from "../base/bytes.ts";
import type { DiagnosticArgs } from "../base/diagnostic.ts";
import { shownText } from "../base/shown-text.ts";
import { en } from "./en.ts";
import { zhCN } from "./zh-CN.ts";

export type MessageCode = keyof typeof en;
/** The words of one language; a missing or superfluous key is a type error. */
export type Messages = Readonly<Record<MessageCode, string>>;

export const LOCALES = ["en", "zh"] as const;
export type Locale = (typeof LOCALES)[number];

const CATALOGUES: Readonly<Record<Locale, Messages>> = { en, zh: zhCN };

export function isMessageCode(code: string): code is MessageCode {
  return Object.hasOwn(en, code);
}

function argument(name: string, value: string | number): string {
  return typeof value === "number" && name.endsWith("Bytes") ? formatBytes(value) : shownText(String(value));
}

/** The wording of `code`, with what others chose made text; an argument that is not given stays visible as its placeholder. */
export function message(locale: Locale, code: MessageCode, args: DiagnosticArgs = {}): string {
  return CATALOGUES[locale][code].replace(
    /\{(\w+)(?:#([^#}]*)#([^#}]*))?\}/g,
    (placeholder: string, name: string, one: string | undefined, many: string | undefined) => {
      const value = args[name];
      if (value === undefined) return placeholder;
      if (one !== undefined && many !== undefined) return value === 1 ? one : many;
      return argument(name, value);
    },
  );
}

/** The wording of a code that may have none, as a trace from elsewhere can hold: then the code and its arguments themselves. */
export function messageOrCode(locale: Locale, code: string, args: DiagnosticArgs = {}): string {
  if (isMessageCode(code)) return message(locale, code, args);
  const details = Object.entries(args).map(([name, value]) => `${shownText(name)} ${argument(name, value)}`);
  const words = shownText(code).replaceAll(/[_-]/g, " ");
  return details.length === 0 ? words : `${words} (${details.join(", ")})`;
}

/** The language that a POSIX environment asks for. */
export function localeOf(env: Readonly<Record<string, string | undefined>>): Locale {
  const wanted = env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return /^zh\b|^zh_/i.test(wanted) ? "zh" : "en";
}
