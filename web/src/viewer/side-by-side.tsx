/** Several recordings beside each other, ranks or GPUs of one program for example: what each needed, and one click to its timeline. */

import { useComputed } from "@preact/signals";
import { formatBytes } from "../../../src/base/bytes.ts";
import { message } from "../../../src/i18n/index.ts";
import { locale } from "../state/settings.ts";
import { recordings, show, shown, type OpenTrace, type Recording } from "./recordings.ts";
import { viewerWords as t } from "./words.ts";

type Open = Recording & { readonly trace: OpenTrace };
const reservedOf = ({ trace }: Open): number => trace.facts.reserved.peakBytes;

export function SideBySide() {
  const rows = useComputed(() => recordings.value.filter((one): one is Open => one.trace !== null));
  if (rows.value.length < 2) return null;
  const largest = Math.max(...rows.value.map(reservedOf));
  return (
    <section class="card side-by-side" aria-label={t("beside_title")}>
      <div class="scroll">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{t("beside_file")}</th>
              <th scope="col" class="n">
                {t("course_allocated")}
              </th>
              <th scope="col" class="n">
                {t("course_reserved")}
              </th>
              <th scope="col">{t("beside_share")}</th>
              <th scope="col">{t("course_peak")}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.value.map((row) => (
              <Row key={row.id} row={row} largest={largest} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Row({ row, largest }: { readonly row: Open; readonly largest: number }) {
  const { facts, trace } = row.trace;
  const isShown = row.id === shown.value?.id;
  const lessBytes = largest - reservedOf(row);
  return (
    <tr class={isShown ? "current" : ""}>
      <th scope="row">
        <button type="button" class="quiet" aria-pressed={isShown} onClick={() => show(row.id)}>
          {row.name}
        </button>
      </th>
      <td class="n">{formatBytes(facts.allocated.peakBytes)}</td>
      <td class="n">{formatBytes(reservedOf(row))}</td>
      <td class="share" title={lessBytes === 0 ? t("beside_most") : t("beside_less", { lessBytes })}>
        <span style={{ width: `${largest === 0 ? 0 : (reservedOf(row) / largest) * 100}%` }} />
      </td>
      <td>{facts.peak === null ? "" : `${facts.peak.file.split("/").at(-1)}:${facts.peak.line}`}</td>
      <td>{trace.source === "simulated" ? message(locale.value, `verdict_${facts.verdict}`) : ""}</td>
    </tr>
  );
}
