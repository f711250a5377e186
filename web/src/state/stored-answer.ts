/** Asks for the stored answer beside the page that shows it, so that neither waits for the other. */

import { route } from "./route.ts";

let asked: Promise<Response> | null = null;

/** The file, asked for once; null where the address names something else to show. */
export function storedAnswer(): Promise<Response> | null {
  if (route.value.query !== "") return null;
  asked ??= fetch(new URL(__FIRST_ANSWER__, document.baseURI));
  // whoever waits for it hears of a failure
  asked.catch(() => {});
  return asked;
}
