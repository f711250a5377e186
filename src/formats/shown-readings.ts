/** The names among a tool's figures (of processes, devices, spans, and values that are words) as reports may show them. */

import { shownText } from "../base/shown-text.ts";
import type { Readings } from "../trace/readings.ts";

export function shownReadings(readings: Readings): Readings {
  const { series, facts, notes } = readings;
  return {
    ...readings,
    source: shownText(readings.source),
    program: shownText(readings.program),
    series: series.map((one) => ({ ...one, label: shownText(one.label) })),
    facts: facts.map((fact) => ({ ...fact, name: shownText(fact.name) })),
    notes: notes.map((note) => ({
      ...note,
      name: shownText(note.name),
      value: typeof note.value === "string" ? shownText(note.value) : note.value,
    })),
  };
}
