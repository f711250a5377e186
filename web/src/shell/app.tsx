/** The frame around every page: header, the page that the address names, footer, sheets, and what to do when something breaks. */

import { signal, useSignalEffect } from "@preact/signals";
import type { ComponentType } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { hasUpdate } from "../offline/install.ts";
import { PAGES, route, navigate, type Page } from "../state/route.ts";
import { locale, nextTheme } from "../state/settings.ts";
import { storedAnswer } from "../state/stored-answer.ts";
import { shellWords as t } from "../words/index.ts";
import { addCommands } from "./commands.ts";
import { Header } from "./header.tsx";
import { HelpSheet, showHelp } from "./help-sheet.tsx";

/** Each page is fetched when it is first shown. */
const LOADERS: Readonly<Record<Page, () => Promise<ComponentType>>> = {
  playground: async () => {
    void storedAnswer();
    return (await import("../playground/playground.tsx")).Playground;
  },
  estimate: async () => (await import("../estimate/estimate-page.tsx")).EstimatePage,
  open: async () => (await import("../viewer/viewer-page.tsx")).ViewerPage,
};

type Loaded = { readonly page: ComponentType } | { readonly failed: string };
const loaded = signal<Partial<Readonly<Record<Page, Loaded>>>>({});
const asked = new Set<Page>();

function load(page: Page): void {
  if (asked.has(page)) return;
  asked.add(page);
  LOADERS[page]()
    .then((component) => (loaded.value = { ...loaded.value, [page]: { page: component } }))
    .catch((error: unknown) => {
      asked.delete(page);
      loaded.value = { ...loaded.value, [page]: { failed: error instanceof Error ? error.message : String(error) } };
    });
}

addCommands([
  { id: "keys", group: "page", keys: ["?"], label: () => t("command_keys"), run: showHelp },
  { id: "palette", group: "page", keys: ["Mod+K"], label: () => t("command_palette"), run: showHelp, inText: true },
  {
    id: "theme",
    group: "page",
    keys: ["T"],
    label: () => t("command_theme"),
    run: nextTheme,
  },
  {
    id: "language",
    group: "page",
    keys: ["L"],
    label: () => t("command_language"),
    run: () => (locale.value = locale.value === "zh" ? "en" : "zh"),
  },
  ...PAGES.map((page, index) => ({
    id: `go-${page}`,
    group: "page" as const,
    keys: [`Alt+${index + 1}`],
    label: () => t(`command_go_${page}`),
    run: () => navigate(page),
    inText: true,
  })),
]);

export function App() {
  useSignalEffect(() => load(route.value.page));
  return (
    <>
      <Header />
      <main id="content" tabIndex={-1} class={`page page-${route.value.page}`}>
        <Guarded key={route.value.page} />
      </main>
      {hasUpdate.value && (
        <p class="update" role="status">
          {t("update_ready")}{" "}
          <button type="button" onClick={() => document.location.reload()}>
            {t("update_reload")}
          </button>
        </p>
      )}
      <footer class="foot">
        <span>{t("offline_note")}</span>
        <span>{t("version_note", { version: __VERSION__ })}</span>
      </footer>
      <HelpSheet />
    </>
  );
}

function Guarded() {
  const [error, reset] = useErrorBoundary();
  if (error !== undefined) return <Broken error={error} reset={reset} />;
  const current = loaded.value[route.value.page];
  if (current === undefined) {
    return (
      <p class="state" role="status">
        {t("page_loading")}
      </p>
    );
  }
  if ("failed" in current) {
    return (
      <div class="state" role="alert">
        <p>{t("page_failed", { reason: current.failed })}</p>
        <button type="button" onClick={() => document.location.reload()}>
          {t("page_retry")}
        </button>
      </div>
    );
  }
  const Shown = current.page;
  return <Shown />;
}

function Broken({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return (
    <div class="state broken" role="alert">
      <h2>{t("error_title")}</h2>
      <p>{t("error_text")}</p>
      <pre>{`VRAMScope ${__VERSION__}\n${text.slice(0, 2000)}`}</pre>
      <p>
        <button type="button" onClick={() => document.location.reload()}>
          {t("error_reload")}
        </button>{" "}
        <button type="button" class="quiet" onClick={() => void navigator.clipboard?.writeText(text)}>
          {t("error_copy")}
        </button>{" "}
        <button type="button" class="quiet" onClick={reset}>
          {t("page_retry")}
        </button>
      </p>
    </div>
  );
}
