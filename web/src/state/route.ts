/** Which page is shown: the part of the address behind `#`, so that a static server needs to know nothing. */

import { signal, type ReadonlySignal } from "@preact/signals";

export const PAGES = ["playground", "estimate", "open"] as const;
export type Page = (typeof PAGES)[number];

export interface Route {
  readonly page: Page;
  /** What follows `?` behind the page, as it stands in the address. */
  readonly query: string;
}

/** `#/estimate?model=...`; anything else is the first page. */
export function parseRoute(hash: string): Route {
  const [path = "", ...query] = hash.replace(/^#\/?/, "").split("?");
  const page = PAGES.find((name) => name === path);
  return { page: page ?? PAGES[0], query: query.join("?") };
}

const current = signal<Route>(parseRoute(document.location.hash));
export const route: ReadonlySignal<Route> = current;

export function addressOf(page: Page, query = ""): string {
  return `#/${page}${query === "" ? "" : `?${query}`}`;
}

/** Shows a page as if its link had been followed. */
export function navigate(page: Page, query = ""): void {
  document.location.hash = addressOf(page, query);
}

/** Puts the state of the page that is shown into the address, without a step in the history. */
export function replaceQuery(query: string): void {
  const next = { page: current.value.page, query };
  history.replaceState(null, "", addressOf(next.page, query));
  current.value = next;
}

export function watchAddress(): void {
  addEventListener("hashchange", () => (current.value = parseRoute(document.location.hash)));
}
