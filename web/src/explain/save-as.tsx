/** A trace as files: our own JSON, the report as one page that needs nothing else, and what other tools open. */

import { useSignal } from "@preact/signals";
import { EXPORT_FORMATS, exportBytes } from "../../../src/exports/index.ts";
import { message } from "../../../src/i18n/index.ts";
import type { ReportFacts } from "../../../src/report/facts.ts";
import type { SourceOf } from "../../../src/report/line-table.ts";
import { writeTrace } from "../../../src/trace/file.ts";
import type { Trace } from "../../../src/trace/model.ts";
import { locale } from "../state/settings.ts";
import { download } from "../state/download.ts";
import { explainWords as t } from "./words.ts";

export interface SaveAsProps {
  readonly trace: Trace;
  readonly facts: ReportFacts;
  readonly sourceOf?: SourceOf;
}

/** What the autograd graph is needed for is drawn elsewhere. */
const FORMATS = EXPORT_FORMATS.filter((format) => !format.needsGraph);

export function SaveAs({ trace, facts, sourceOf }: SaveAsProps) {
  const making = useSignal<string | null>(null);
  const [, stem = "trace"] = /([^/\\]+?)(?:\.(?:py|json|pickle|pkl|gz|trace))*$/.exec(trace.program) ?? [];
  const save = (name: string, make: () => Uint8Array | string): void => {
    making.value = name;
    // after the page has said what it does
    setTimeout(() => {
      try {
        download(name, make());
      } finally {
        making.value = null;
      }
    }, 30);
  };
  return (
    <div class="save-as">
      <p class="soft">{t("save_intro")}</p>
      <ul>
        <li>
          <button type="button" onClick={() => save(`${stem}.trace.json`, () => writeTrace(trace))}>
            {t("save_trace")} <code>.json</code>
          </button>
        </li>
        {FORMATS.map(({ id, extension, label }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() =>
                save(`${stem}.${id}${extension}`.replace(".html.html", ".html"), () =>
                  exportBytes(id, trace, {
                    locale: locale.value,
                    facts,
                    ...(sourceOf === undefined ? {} : { sourceOf }),
                  }),
                )
              }
            >
              {message(locale.value, label)} <code>{extension}</code>
            </button>
          </li>
        ))}
      </ul>
      <p role="status">{making.value === null ? "" : t("save_making", { name: making.value })}</p>
    </div>
  );
}
