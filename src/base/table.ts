/**
 * A table that is looked up by names from files and command lines. It has no prototype: `constructor` and `__proto__` are names like
 * any other, and what is not in the table is undefined.
 */

export type Table<T> = Readonly<Record<string, T>>;

export function table<T>(entries: Table<T>): Table<T> {
  return Object.freeze(Object.assign(Object.create(null) as Record<string, T>, entries));
}
