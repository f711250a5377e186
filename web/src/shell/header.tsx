/** The bar at the top: the pages, language, theme, keys. */

import { addressOf, PAGES, route } from "../state/route.ts";
import { locale, nextTheme, patterns, theme, THEMES, type Theme } from "../state/settings.ts";
import { shellWords as t } from "../words/index.ts";
import { showHelp } from "./help-sheet.tsx";

const THEME_SIGNS: Readonly<Record<Theme, string>> = { system: "◐", light: "☀", dark: "☾" };

export function Header() {
  return (
    <header class="top">
      <a class="skip" href="#content">
        {t("skip_to_content")}
      </a>
      <a class="brand" href={addressOf("playground")}>
        <img src="./icon.svg" alt="" width="22" height="22" />
        <span>VRAMScope</span>
      </a>
      <nav aria-label={t("nav_label")}>
        {PAGES.map((page) => (
          <a key={page} href={addressOf(page)} aria-current={route.value.page === page ? "page" : undefined}>
            {t(`nav_${page}`)}
          </a>
        ))}
      </nav>
      <span class="grow" />
      <button
        type="button"
        class="quiet theme-button"
        title={`${t("theme_label")}: ${t(`theme_${theme.value}`)}`}
        aria-label={`${t("theme_label")}: ${t(`theme_${theme.value}`)}`}
        onClick={nextTheme}
      >
        <span aria-hidden="true">{THEME_SIGNS[theme.value]}</span>
      </button>
      <details class="menu">
        <summary>
          {locale.value === "zh" ? "中文" : "EN"}
          <span class="visually-hidden">{`, ${t("language_label")}, ${t("theme_label")}`}</span>
        </summary>
        <div class="menu-body">
          <label>
            <span>{t("language_label")}</span>
            <select
              value={locale.value}
              onChange={(event) => (locale.value = event.currentTarget.value === "zh" ? "zh" : "en")}
            >
              <option value="en">English</option>
              <option value="zh">中文</option>
            </select>
          </label>
          <label>
            <span>{t("theme_label")}</span>
            <select value={theme.value} onChange={(event) => (theme.value = event.currentTarget.value as Theme)}>
              {THEMES.map((name) => (
                <option key={name} value={name}>
                  {t(`theme_${name}`)}
                </option>
              ))}
            </select>
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={patterns.value}
              onChange={(event) => (patterns.value = event.currentTarget.checked)}
            />
            <span>{t("patterns_label")}</span>
          </label>
        </div>
      </details>
      <button type="button" class="quiet keys-button" onClick={showHelp}>
        {t("keys_button")} <kbd>?</kbd>
      </button>
    </header>
  );
}
