/** The menu that fetches real packages for programs: what is wanted, what would be fetched and from where, and what is kept. */

import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatBytes } from "../../../src/base/bytes.ts";
import { DiagnosticError } from "../../../src/base/diagnostic.ts";
import { messageOrCode } from "../../../src/i18n/index.ts";
import { DEFAULT_INDEX } from "../../../src/packages/default-index.ts";
import { locale } from "../state/settings.ts";
import { wordsOf } from "../words/index.ts";
import type { Plan } from "./fetch-packages.ts";
import { canKeep, keptPackages, readKept, removeAllKept, removeKept } from "./kept-packages.ts";
import { packagesEn, type PackagesCode } from "./words-en.ts";
import { packagesZh } from "./words-zh-CN.ts";
import "./packages.css";

const t = wordsOf<PackagesCode>(packagesEn, packagesZh);

type State =
  | { readonly state: "idle" }
  | { readonly state: "looking" }
  | { readonly state: "planned"; readonly plan: Plan }
  | { readonly state: "fetching"; readonly done: number; readonly count: number; readonly file: string }
  | { readonly state: "failed"; readonly reason: string };

const state = signal<State>({ state: "idle" });
const LEFT_OUT = {
  "built-in": "left_out_built_in",
  "no-wheel": "left_out_no_wheel",
  unknown: "left_out_unknown",
} as const;

/** What is typed, and whether the menu is open: an offer fills and opens it. */
const wanted = signal("");
const isOpen = signal(false);

let order: AbortController | null = null;

async function attempt(work: (signal: AbortSignal) => Promise<State>): Promise<void> {
  const own = new AbortController();
  order?.abort();
  order = own;
  let next: State;
  try {
    next = await work(own.signal);
  } catch (error) {
    const reason =
      error instanceof DiagnosticError
        ? messageOrCode(locale.value, error.diagnostic.code, error.diagnostic.args)
        : (error as Error).message;
    next = { state: "failed", reason };
  }
  if (order === own) state.value = next;
}

const lookUp = (wanted: string, index: string): Promise<void> => {
  state.value = { state: "looking" };
  return attempt(async (signal) => {
    const { planPackages } = await import("./fetch-packages.ts");
    return { state: "planned", plan: await planPackages(wanted, index, signal) };
  });
};

const fetchAll = (plan: Plan): Promise<void> =>
  attempt(async (signal) => {
    let done = 0;
    await plan.fetch(({ file }) => {
      signal.throwIfAborted();
      state.value = { state: "fetching", done: ++done, count: plan.files.length, file };
    });
    return { state: "idle" };
  });

/** Under a run that lacks packages: a click asks the index what is needed, and the menu says it. */
export function PackagesOffer({ names }: { readonly names: readonly string[] }) {
  const kept = keptPackages.value ?? [];
  const missing = names.filter(
    (name) => !kept.some((one) => one.name === name.replaceAll(/[-_.]+/g, "-").toLowerCase()),
  );
  if (missing.length === 0 || !canKeep()) return null;
  const listed = missing.join(" ");
  return (
    <p class="offer" role="status">
      {t("offer", { names: listed })}{" "}
      <button
        type="button"
        onClick={() => {
          wanted.value = listed;
          isOpen.value = true;
          void lookUp(listed, DEFAULT_INDEX);
        }}
      >
        {t("offer_look_up", { names: listed, host: new URL(DEFAULT_INDEX).host })}
      </button>
    </p>
  );
}

/** @param source the program, whose header may name its packages */
export function PackagesMenu({ source }: { readonly source: string }) {
  const index = useSignal(DEFAULT_INDEX);
  useEffect(() => void readKept(), []);
  const kept = keptPackages.value ?? [];
  const now = state.value;
  const propose = async (): Promise<void> => {
    if (wanted.value !== "" || !source.includes("# /// script")) return;
    const { namedByScript } = await import("./fetch-packages.ts");
    wanted.value = namedByScript(source);
  };
  return (
    <details
      class="menu packages"
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
        if (isOpen.value) void propose();
      }}
    >
      <summary>{kept.length === 0 ? t("summary") : t("summary_count", { count: kept.length })}</summary>
      <div class="menu-body">
        <p class="soft">{t("what")}</p>
        {!canKeep() && <p role="alert">{t("cannot_keep")}</p>}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (wanted.value.trim() !== "") void lookUp(wanted.value, index.value.trim());
          }}
        >
          <label>
            <span>{t("wanted")}</span>
            <input
              type="text"
              value={wanted.value}
              placeholder={t("wanted_hint")}
              spellcheck={false}
              autocapitalize="off"
              onInput={(event) => (wanted.value = event.currentTarget.value)}
            />
          </label>
          <label>
            <span>{t("index")}</span>
            <input
              type="url"
              value={index.value}
              spellcheck={false}
              onInput={(event) => (index.value = event.currentTarget.value)}
            />
          </label>
          <p class="soft">{t("look_up_note", { index: index.value })}</p>
          <button type="submit" disabled={!canKeep() || now.state === "looking" || now.state === "fetching"}>
            {t("look_up")}
          </button>
        </form>
        <p role="status">
          {now.state === "looking" && t("looking", { index: index.value })}
          {now.state === "fetching" && t("fetching", { done: now.done, count: now.count, file: now.file })}
        </p>
        {now.state === "failed" && <p role="alert">{t("failed", { reason: now.reason })}</p>}
        {now.state === "planned" && <Planned plan={now.plan} />}
        {kept.length > 0 && <Kept />}
      </div>
    </details>
  );
}

function Planned({ plan }: { readonly plan: Plan }) {
  const { files, leftOut } = plan;
  const count = files.length;
  const host = [...new Set(files.map(({ url }) => new URL(url).host))].join(", ");
  const isSized = files.every(({ bytes }) => bytes !== null);
  const totalBytes = files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  return (
    <section class="plan">
      <p>{t(isSized ? "plan" : "plan_unsized", { count, totalBytes, host })}</p>
      <ul>
        {files.map(({ file, bytes }) => (
          <li key={file}>
            <code>{file}</code> {bytes !== null && <Size bytes={bytes} />}
          </li>
        ))}
        {[...leftOut].map(([name, why]) => (
          <li key={name} class="soft">
            {t(LEFT_OUT[why], { name })}
          </li>
        ))}
      </ul>
      <button type="button" class="primary" disabled={count === 0} onClick={() => void fetchAll(plan)}>
        {t("fetch", { count })}
      </button>{" "}
      <button type="button" onClick={() => (state.value = { state: "idle" })}>
        {t("cancel")}
      </button>
    </section>
  );
}

const Size = ({ bytes }: { readonly bytes: number }) => <span class="soft">{formatBytes(bytes)}</span>;

function Kept() {
  return (
    <section class="kept">
      <h3>{t("kept")}</h3>
      <ul>
        {(keptPackages.value ?? []).map(({ name, version, bytes, compiled }) => (
          <li key={name}>
            {t("kept_one", { name, version, bytes })}
            {compiled > 0 && <span class="soft"> {t("kept_part", { count: compiled })}</span>}{" "}
            <button
              type="button"
              class="quiet"
              aria-label={t("remove", { name })}
              onClick={() => void removeKept(name)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => void removeAllKept()}>
        {t("remove_all")}
      </button>
    </section>
  );
}
