/** What a person chose for the page itself: language and theme, kept in this browser. */

import { effect, signal } from "@preact/signals";
import type { Locale } from "../../../src/i18n/index.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "vramscope.settings";

interface Kept {
  readonly theme?: unknown;
  readonly locale?: unknown;
  readonly patterns?: unknown;
}

/** Storage may be closed, as in a private window: then the choice lasts as long as the page. */
function kept(): Kept {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {}) as Kept;
  } catch {
    return {};
  }
}

function preferredLocale(): Locale {
  return navigator.languages
    .find((language) => /^(en|zh)\b/i.test(language))
    ?.toLowerCase()
    .startsWith("zh")
    ? "zh"
    : "en";
}

const stored = kept();
export const theme = signal<Theme>(THEMES.find((name) => name === stored.theme) ?? "system");
export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!;
}
export const locale = signal<Locale>(
  stored.locale === "zh" || stored.locale === "en" ? stored.locale : preferredLocale(),
);
/** Hatching and dots beside the colours. */
export const patterns = signal(stored.patterns === true);

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(darkSystem.matches);
darkSystem.addEventListener("change", () => (systemIsDark.value = darkSystem.matches));

/** Whether the page is dark now, whoever decided it. */
export const isDark = signal(false);

/** Keeps the document and the storage as the settings are. */
export function applySettings(): void {
  effect(() => {
    isDark.value = theme.value === "dark" || (theme.value === "system" && systemIsDark.value);
    document.documentElement.dataset["theme"] = isDark.value ? "dark" : "light";
  });
  effect(() => {
    document.documentElement.lang = locale.value === "zh" ? "zh-CN" : "en";
  });
  effect(() => {
    const text = JSON.stringify({ theme: theme.value, locale: locale.value, patterns: patterns.value });
    try {
      localStorage.setItem(KEY, text);
    } catch {
      // see `kept`
    }
  });
}
