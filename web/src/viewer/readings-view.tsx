/** Figures that a tool printed or sampled: each series as a small chart, single figures and notes as tables. */

import { formatBytes } from "../../../src/base/bytes.ts";
import { message } from "../../../src/i18n/index.ts";
import type { ReadingFact, Readings, ReadingSeries } from "../../../src/trace/readings.ts";
import { locale } from "../state/settings.ts";
import { SeriesChart } from "./series-chart.tsx";
import { viewerWords as t } from "./words.ts";

const MOST_ROWS = 300;
const MOST_CHARTS = 24;

const exact = (bytes: number): string => `${bytes.toLocaleString("en-US")} bytes`;

/** Where a figure belongs, as far as the tool says. */
function places({ device, process }: Pick<ReadingFact, "device" | "process">): string[] {
  return [
    ...(device >= 0 ? [message(locale.value, "opened_device", { device })] : []),
    ...(process >= 0 ? [message(locale.value, "opened_process", { process })] : []),
  ];
}

function rounding(roundingBytes: number): string {
  return roundingBytes > 0 ? t("rounded", { bytes: roundingBytes * 2 }) : "";
}

export function ReadingsView({ readings }: { readonly readings: Readings }) {
  const { series, facts, notes } = readings;
  if (series.length + facts.length + notes.length === 0) return <p>{message(locale.value, "opened_nothing")}</p>;
  return (
    <div class="readings">
      {series.length > 0 && (
        <section>
          <h3>{message(locale.value, "opened_section_series")}</h3>
          <div class="series-list">
            {series.slice(0, MOST_CHARTS).map((one, index) => (
              <Series key={index} series={one} />
            ))}
          </div>
          <More count={series.length - MOST_CHARTS} />
        </section>
      )}
      {facts.length > 0 && <Facts facts={facts} />}
      {notes.length > 0 && (
        <section>
          <h3>{message(locale.value, "opened_section_notes")}</h3>
          <div class="scroll">
            <table class="plain">
              <thead>
                <tr>
                  <th scope="col">{t("notes_name")}</th>
                  <th scope="col">{t("notes_value")}</th>
                </tr>
              </thead>
              <tbody>
                {notes.slice(0, MOST_ROWS).map(({ name, value }, index) => (
                  <tr key={index}>
                    <td>{name}</td>
                    <td class="num wrap">{value}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <More count={notes.length - MOST_ROWS} />
        </section>
      )}
    </div>
  );
}

function More({ count }: { readonly count: number }) {
  return count > 0 ? <p class="soft">{t("more_rows", { count })}</p> : null;
}

function Series({ series }: { readonly series: ReadingSeries }) {
  const { bytes, seconds, quantity, label } = series;
  if (bytes.length === 0) return null;
  const name = [message(locale.value, `quantity_${quantity}`), label, ...places(series)].filter((part) => part !== "");
  const lowBytes = bytes.reduce((low, value) => Math.min(low, value), Infinity);
  const highBytes = bytes.reduce((high, value) => Math.max(high, value), -Infinity);
  const axis = t(seconds === null ? "series_axis_samples" : "series_axis_seconds");
  return (
    <div class="series" title={rounding(series.roundingBytes)}>
      <h4>{name.join(" · ")}</h4>
      <p class="soft num">{t("series_range", { lowBytes, highBytes, count: bytes.length })}</p>
      {bytes.length > 1 && <SeriesChart series={[{ name: name.join(" · "), bytes, at: seconds }]} axis={axis} />}
    </div>
  );
}

function Facts({ facts }: { readonly facts: readonly ReadingFact[] }) {
  return (
    <section>
      <h3>{message(locale.value, "opened_section_facts")}</h3>
      <div class="scroll">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{t("facts_name")}</th>
              <th scope="col" class="n">
                {t("facts_bytes")}
              </th>
              <th scope="col">{t("facts_what")}</th>
              <th scope="col">{t("facts_where")}</th>
            </tr>
          </thead>
          <tbody>
            {facts.slice(0, MOST_ROWS).map((fact, index) => (
              <tr key={index}>
                <td>{fact.peak ? t("peak_of", { name: fact.name }) : fact.name}</td>
                <td class="n" title={[exact(fact.bytes), rounding(fact.roundingBytes)].join("\n").trim()}>
                  {fact.roundingBytes > 0 ? "~" : ""}
                  {formatBytes(fact.bytes)}
                </td>
                <td>{fact.quantity === "other" ? "" : message(locale.value, `quantity_${fact.quantity}`)}</td>
                <td>
                  {[
                    ...places(fact),
                    ...(fact.line > 0 ? [message(locale.value, "opened_line", { line: fact.line })] : []),
                  ].join(" · ")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <More count={facts.length - MOST_ROWS} />
    </section>
  );
}
