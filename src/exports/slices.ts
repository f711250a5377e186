/** Spans of time in a trace: where something (a phase, a module, a line with its callers) stays the same from event to event. */

export interface Slice {
  readonly name: string;
  readonly depth: number;
  /** First event, and the event after the last one. */
  readonly start: number;
  readonly end: number;
}

/**
 * Nested spans, each when it ends. `pathAt` gives what was going on at an event from the outside in, as keys; as long as a
 * key and all keys outside of it stay, its span goes on. `nameOf` words a key once its span ends.
 */
export function* slices<Key>(
  events: number,
  pathAt: (event: number) => readonly Key[],
  nameOf: (key: Key) => string,
): Generator<Slice, void, undefined> {
  const open: { key: Key; start: number }[] = [];
  let before: readonly Key[] = [];
  for (let event = 0; event <= events; event++) {
    const path = event === events ? [] : pathAt(event);
    if (path === before) continue;
    before = path;
    let same = 0;
    while (same < open.length && same < path.length && open[same]!.key === path[same]) same++;
    while (open.length > same) {
      const { key, start } = open.pop()!;
      yield { name: nameOf(key), depth: open.length, start, end: event };
    }
    for (const key of path.slice(same)) open.push({ key, start: event });
  }
}
