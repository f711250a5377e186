/** A request that failed, as text: what was asked for, what was left, what was missing, and whether fragmentation is to blame. */

import type { OutOfMemory } from "../explain/out-of-memory.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { Trace } from "../trace/model.ts";
import { tensorText } from "./block-words.ts";
import { whereText } from "./holder-words.ts";
import type { Painter } from "./paint.ts";
import { wrap } from "./width.ts";

/** The sentences, each complete in itself. */
export function oomSentences(locale: Locale, trace: Trace, oom: OutOfMemory): string[] {
  const { requestedBytes, allocatedBytes, reservedBytes, capacityBytes, free, driver } = oom;
  const tensor = tensorText(locale, oom);
  const asked = { where: whereText(trace, oom.frame), op: oom.op ?? "", requestedBytes };
  const sentences = [
    tensor === "" ? message(locale, "oom_asked_plain", asked) : message(locale, "oom_asked", { ...asked, tensor }),
    message(locale, "oom_state", { allocatedBytes, reservedBytes, capacityBytes }),
  ];
  if (driver !== null) {
    const { segmentBytes, freeBytes, missingBytes, allowedBytes } = driver;
    sentences.push(message(locale, "oom_driver", { segmentBytes, freeBytes, missingBytes }));
    if (allowedBytes !== null) sentences.push(message(locale, "oom_allowed", { allowedBytes }));
  }
  if (free.pieces === 0) sentences.push(message(locale, "oom_free_none"));
  else {
    const { freeBytes, largestBytes, pieces } = free;
    sentences.push(message(locale, "oom_free", { freeBytes, largestBytes, pieces }));
    sentences.push(message(locale, oom.fragmented ? "oom_fragmented" : "oom_not_fragmented"));
  }
  return sentences;
}

export function oomSection(oom: OutOfMemory, trace: Trace, locale: Locale, painter: Painter): string[] {
  return [
    painter.strong(message(locale, "section_oom")),
    ...oomSentences(locale, trace, oom).flatMap((sentence) => wrap(`  - ${sentence}`, painter.width, "    ")),
  ];
}
