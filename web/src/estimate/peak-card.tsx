/** What is in memory at the peak: by component, and by part of the model. */

import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { numberField, textConfig } from "../../../src/formats/model-config.ts";
import { message } from "../../../src/i18n/index.ts";
import { categoryName } from "../../../src/report/words.ts";
import { locale } from "../state/settings.ts";
import { Figure } from "./figure.tsx";
import { model } from "./page-state.ts";
import { shown } from "./simulation.ts";
import { estimateWords as t } from "./words.ts";

const SHOWN = 12;

/** Made with the whole model, and not while one of its modules works. */
const MODEL_WIDE: ReadonlySet<string> = new Set(["parameter", "buffer", "gradient", "optimizer_state"]);

interface Row {
  readonly name: string;
  readonly kind: string;
  readonly bytes: number;
  /** Bytes in one of the layers that the name stands for, on average. */
  readonly each: number | null;
}

/** Paths break behind their dots. */
const breakable = (path: string) =>
  path.split(/(?<=\.)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

export function PeakCard() {
  const view = useSignal<"modules" | "categories">("modules");
  const all = useSignal(false);
  const now = shown.value;
  const made = now?.estimates[0];
  if (now === null || made === undefined) return null;
  const { digest } = made;
  const config = model.value?.config;
  const layers =
    config == null ? undefined : numberField(textConfig(config), "num_hidden_layers", "n_layer", "num_layers");
  const rows: readonly Row[] =
    view.value === "categories"
      ? digest.components
          .toSorted((a, b) => b.bytes - a.bytes)
          .map(({ category, bytes }) => ({
            name: categoryName(locale.value, category),
            kind: category,
            bytes,
            each: null,
          }))
      : digest.modules.map(({ module, category, bytes }) => ({
          name: module !== "" ? module : t(MODEL_WIDE.has(category) ? "whole_model" : "outside_modules"),
          kind: category,
          bytes,
          each: layers !== undefined && module.split("*").length === 2 ? bytes / layers : null,
        }));
  const cut = all.value ? rows : rows.slice(0, SHOWN);
  const most = rows[0]?.bytes ?? 1;
  const hasEach = cut.some(({ each }) => each !== null);
  return (
    <section class={`card ${now.state === "simulated" ? "" : "est-old"}`} aria-labelledby="est-peak">
      <div class="est-head">
        <h2 id="est-peak">{t("peak_title")}</h2>
        <div class="est-switch" role="group" aria-label={t("peak_by")}>
          {(["modules", "categories"] as const).map((id) => (
            <button key={id} type="button" aria-pressed={view.value === id} onClick={() => (view.value = id)}>
              {t(`peak_by_${id}`)}
            </button>
          ))}
        </div>
      </div>
      <div class="scroll">
        <table class="plain est-peak-table">
          <thead>
            <tr>
              <th scope="col">{t(view.value === "modules" ? "column_module" : "column_category")}</th>
              <th scope="col" class="n">
                {t("column_size")}
              </th>
              {hasEach && (
                <th scope="col" class="n" title={t("column_each_hint", { count: layers ?? 0 })}>
                  {t("column_each")}
                </th>
              )}
              <th scope="col">
                <span class="visually-hidden">{t("column_share")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {cut.map((row) => (
              <tr key={`${row.name} ${row.kind}`}>
                <th scope="row">
                  {view.value === "modules" && (
                    <span class="est-kind">{categoryName(locale.value, row.kind as never)}</span>
                  )}
                  <span class="est-module">{breakable(row.name)}</span>
                </th>
                <td class="n">
                  <Figure bytes={row.bytes} />
                </td>
                {hasEach && <td class="n soft">{row.each === null ? "" : <Figure bytes={row.each} />}</td>}
                <td class="est-share">
                  <div
                    style={{ width: `${(100 * row.bytes) / most}%`, backgroundColor: `var(--category-${row.kind})` }}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > SHOWN && (
        <button type="button" class="quiet" onClick={() => (all.value = !all.value)}>
          {all.value ? t("show_fewer") : t("show_all", { count: rows.length })}
        </button>
      )}
      <p class="soft">
        {t("phase_peaks")}{" "}
        {digest.phases.map(({ phase, allocatedBytes }, index) => (
          <span key={phase}>
            {index > 0 && " · "}
            {message(locale.value, `phase_${phase}`)} <Figure bytes={allocatedBytes} />
          </span>
        ))}
      </p>
    </section>
  );
}
