/** From tensors to the card, link by link: what each is, its interval, and where it comes from. */

import type { Interval } from "../../../src/estimate/index.ts";
import { message } from "../../../src/i18n/index.ts";
import { locale } from "../state/settings.ts";
import { Figure } from "./figure.tsx";
import { shown } from "./simulation.ts";
import { colourOf, pieceName } from "./verdict.tsx";
import { estimateWords as t, gib } from "./words.ts";

const between = ({ lowBytes, highBytes }: Interval): string =>
  gib(lowBytes) === gib(highBytes)
    ? ""
    : message(locale.value, "estimate_between", { low: gib(lowBytes), high: gib(highBytes) });

export function ChainCard() {
  const now = shown.value;
  const made = now?.estimates[0];
  if (now === null || made === undefined) return null;
  const { chain, gpu, digest } = made;
  const about = now.state === "about";
  const rows: readonly { key: string; sign: string; name: string; interval: Interval; source: string }[] = [
    {
      key: "allocated",
      sign: "=",
      name: message(locale.value, "chain_allocated"),
      interval: chain.allocated,
      source:
        chain.allocated.highBytes > chain.allocated.bytes ? t("source_allocated_interval") : t("source_allocated"),
    },
    {
      key: "reserved",
      sign: "→",
      name: message(locale.value, "chain_reserved"),
      interval: chain.reserved,
      source: t("source_reserved"),
    },
    {
      key: "process",
      sign: "→",
      name: message(locale.value, "chain_process"),
      interval: chain.process,
      source: t("source_process", {
        mark: message(locale.value, `mark_${gpu.context.mark}`),
        evidence: gpu.context.evidence,
      }),
    },
    {
      key: "capacity",
      sign: "→",
      name: message(locale.value, "chain_capacity", { gpu: gpu.name }),
      interval: { bytes: chain.capacityBytes, lowBytes: chain.capacityBytes, highBytes: chain.capacityBytes },
      source: t("source_capacity", { mark: message(locale.value, `mark_${gpu.totalMark}`), note: gpu.note ?? "" }),
    },
  ];
  return (
    <section class={`card ${now.state === "old" ? "est-old" : ""}`} aria-labelledby="est-chain">
      <h2 id="est-chain">{t("chain_title")}</h2>
      <p class="soft">
        {t("peak_at", {
          phase: message(locale.value, `phase_${digest.peak.phase}`),
          op: digest.peak.op ?? "–",
          line: digest.peak.line,
        })}
      </p>
      <table class="plain est-chain">
        <tbody>
          {chain.parts.map(({ id, bytes }) => (
            <tr key={id}>
              <th scope="row">
                <span class={`est-swatch est-piece-${id}`} style={{ backgroundColor: colourOf(id) }} /> {pieceName(id)}
              </th>
              <td class="n">
                <Figure bytes={bytes} about={about} />
              </td>
              <td class="n soft">{Math.round((100 * bytes) / chain.allocated.bytes)}%</td>
            </tr>
          ))}
          {rows.map(({ key, sign, name, interval, source }) => (
            <tr key={key} class="est-link">
              <th scope="row">
                <details>
                  <summary>
                    {sign} {name}
                  </summary>
                  <p class="soft">{source}</p>
                </details>
              </th>
              <td class="n" colSpan={2}>
                <Figure bytes={interval.bytes} about={about && key !== "capacity"} />
                <div class="soft">{between(interval)}</div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
