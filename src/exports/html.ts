/**
 * The report as one HTML file that needs nothing else: no network, no script; its own policy forbids both, whatever the
 * program's names and source may contain.
 */

import { formatBytes } from "../base/bytes.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { ReportFacts } from "../report/index.ts";
import { cardLines } from "../report/verdict-words.ts";
import { unitFor } from "../report/line-table.ts";
import { titleText, verdictText } from "../report/text.ts";
import { assumptionText, contextMark, findingText } from "../report/words.ts";
import type { Trace } from "../trace/model.ts";
import { peakEvent } from "../trace/queries.ts";
import type { ExportFormat, ExportOptions } from "./export-format.ts";
import { STYLE } from "./html-style.ts";
import { blocksPart, compositionPart, linesPart } from "./html-tables.ts";
import { timelineFigure } from "./html-timeline.ts";
import { escapeMarkup } from "./markup.ts";
import { traceFacts } from "./trace-facts.ts";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const LANGUAGE: Readonly<Record<Locale, string>> = { en: "en", zh: "zh-CN" };

function section(heading: string, body: string): string {
  return body === "" ? "" : `<section><h2>${escapeMarkup(heading)}</h2>${body}</section>\n`;
}

function list(items: readonly string[]): string {
  if (items.length === 0) return "";
  return `<div class="card"><ul class="plain">${items.map((item) => `<li>${escapeMarkup(item)}</li>`).join("")}</ul></div>`;
}

function verdictCard(facts: ReportFacts, locale: Locale): string {
  const lines = [
    `<p><b>${escapeMarkup(message(locale, `verdict_${facts.verdict}`))}</b>${escapeMarkup(verdictText(facts, locale))}</p>`,
  ];
  for (const { label, text } of cardLines(facts.card, locale)) {
    lines.push(`<p><b>${escapeMarkup(label)}</b>${escapeMarkup(text)}</p>`);
  }
  if (facts.overLimit) {
    const text = message(locale, "over_limit_text", {
      reservedBytes: facts.reserved.peakBytes,
      limitBytes: facts.limitBytes!,
    });
    lines.push(`<p>${escapeMarkup(text)}</p>`);
  }
  return `<div class="card verdict ${facts.verdict}${facts.overLimit ? " over" : ""}">${lines.join("")}</div>`;
}

function numberCards(facts: ReportFacts, locale: Locale): string {
  const { context } = facts.gpu;
  const cards = [
    {
      name: message(locale, "label_allocated"),
      bytes: facts.allocated.peakBytes,
      legend: message(locale, "legend_allocated", { endBytes: facts.allocated.endBytes }),
    },
    {
      name: message(locale, "label_reserved"),
      bytes: facts.reserved.peakBytes,
      legend: message(locale, "legend_reserved", { endBytes: facts.reserved.endBytes }),
    },
    {
      name: message(locale, "label_driver"),
      bytes: facts.driver.expectedBytes,
      legend: message(locale, "legend_driver", {
        lowBytes: context.lowBytes,
        highBytes: facts.driver.highBytes - facts.reserved.peakBytes - facts.outside.highBytes,
        mark: contextMark(locale, context),
      }),
    },
  ];
  // what nvidia-smi showed is not in a recording
  const known = facts.verdict === "recorded" ? cards.slice(0, 2) : cards;
  const html = known.map(
    ({ name, bytes, legend }) =>
      `<div class="card"><div class="name">${escapeMarkup(name)}</div><div class="value" title="${bytes}">${formatBytes(bytes)}</div><div class="soft legend-text">${escapeMarkup(legend)}</div></div>`,
  );
  return `<div class="numbers">${html.join("")}</div>`;
}

function peakLine(facts: ReportFacts, locale: Locale, source: string): string {
  const { peak } = facts;
  if (peak === null) return "";
  const parts = [`${peak.file}:${peak.line}`];
  if (peak.op !== null) parts.push(peak.op);
  if (peak.module !== null) parts.push(message(locale, "in_module", { module: peak.module }));
  const line = source === "" ? "" : `<br><code>${escapeMarkup(source)}</code>`;
  return `<p class="soft">${escapeMarkup(`${message(locale, "label_peak")}: ${parts.join(" · ")}`)}${line}</p>`;
}

function* write(trace: Trace, options: ExportOptions = {}): Generator<string, void, undefined> {
  const { locale = "en", sourceOf = () => undefined } = options;
  const facts = options.facts ?? traceFacts(trace);
  const peak = facts.peak?.event ?? peakEvent(trace);
  const title = titleText(facts, locale);
  const word = (code: Parameters<typeof message>[1], args?: Parameters<typeof message>[2]) =>
    message(locale, code, args);
  yield `<!doctype html>\n<html lang="${LANGUAGE[locale]}">\n<head>\n<meta charset="utf-8">\n`;
  yield `<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n`;
  yield `<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${escapeMarkup(title)}</title>\n`;
  yield `<style>${STYLE}</style>\n</head>\n<body>\n<main>\n<h1>${escapeMarkup(title)}</h1>\n`;
  yield `${verdictCard(facts, locale)}\n${numberCards(facts, locale)}\n`;
  if (facts.allocated.peakBytes > 0) {
    yield section(word("html_section_timeline"), timelineFigure(trace, peak, locale));
    const source = facts.peak === null ? "" : (sourceOf(facts.peak.file)?.[facts.peak.line - 1]?.trim() ?? "");
    yield section(
      word("section_categories"),
      `${peakLine(facts, locale, source)}<div class="card">${compositionPart(facts, locale)}</div>`,
    );
    yield section(word("html_section_blocks"), `<div class="card">${blocksPart(trace, peak, locale)}</div>`);
    if (facts.lines.length > 0) {
      const unit = unitFor(Math.max(...facts.lines.map((row) => row.peakBytes)));
      yield section(
        word("section_lines", { unit: unit.name }),
        `<div class="card">${linesPart(facts, sourceOf, locale)}</div>`,
      );
    }
    yield section(word("section_findings"), list(facts.findings.map((finding) => findingText(locale, finding))));
  }
  yield section(
    word("section_assumed"),
    list(facts.assumptions.map((assumption) => assumptionText(locale, trace, assumption))),
  );
  yield section(word("section_unverified"), list(facts.unverifiedOps));
  yield `<footer>VRAMScope · ${escapeMarkup(word(facts.verdict === "recorded" ? "html_footer_recorded" : "html_footer"))}</footer>\n</main>\n</body>\n</html>\n`;
}

export const htmlReport: ExportFormat = { id: "html", extension: ".html", label: "export_html", write };
