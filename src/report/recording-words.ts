/** A recording in two or three sentences: its peak, what is alive at its end, and whether it grows. The same words on the page and in a terminal. */

import { message, type Locale } from "../i18n/index.ts";
import { compositionAt } from "../trace/composition.ts";
import type { Trace } from "../trace/model.ts";
import type { ReportFacts } from "./facts.ts";
import { shortPlace } from "./places.ts";

/** Less of what was the peak is not worth a place. */
const NOTABLE_SHARE = 0.01;

export function recordingSentences(trace: Trace, facts: ReportFacts, locale: Locale): string[] {
  const { peak, allocated, card } = facts;
  const peakArgs = {
    peakBytes: allocated.peakBytes,
    where: peak === null ? "" : shortPlace(`${peak.file}:${peak.line}`),
  };
  const sentences = [message(locale, peak === null ? "recording_peak" : "recording_peak_at", peakArgs)];
  sentences.push(endSentence(trace, facts, locale));
  // what grows is a line of its own
  if (card.growth === null) sentences.push(message(locale, "recording_no_growth"));
  if (card.unusable === null) sentences.push(message(locale, "recording_no_fragments"));
  return sentences;
}

function endSentence(trace: Trace, { allocated }: ReportFacts, locale: Locale): string {
  const endBytes = allocated.endBytes;
  if (endBytes <= allocated.peakBytes * NOTABLE_SHARE) return message(locale, "recording_end_empty", { endBytes });
  const named = compositionAt(trace, trace.events.kind.length - 1, "line").shares.filter(
    (share): share is typeof share & { readonly key: string } => share.key !== null,
  );
  const [most] = named;
  if (most === undefined) return message(locale, "recording_end", { endBytes });
  return message(locale, "recording_end_line", { endBytes, lineBytes: most.bytes, where: shortPlace(most.key) });
}
