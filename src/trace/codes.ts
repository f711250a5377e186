/** The numbers that stand for kinds of events, categories and phases in the columns of a trace. */

import { CATEGORIES, EVENT_KINDS, PHASES, type Category, type EventKind, type Phase } from "./model.ts";

function indexOf<T extends string>(names: readonly T[]): Readonly<Record<T, number>> {
  return Object.fromEntries(names.map((name, index) => [name, index])) as Record<T, number>;
}

export const KIND = indexOf<EventKind>(EVENT_KINDS);
export const CATEGORY = indexOf<Category>(CATEGORIES);
export const PHASE = indexOf<Phase>(PHASES);
