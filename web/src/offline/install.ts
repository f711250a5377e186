/** Installs the service worker, says which files belong to this version, and notices a newer one. `?nosw` takes it away. */

import { signal } from "@preact/signals";

/** Whether the server has a newer page than the one that is shown. */
export const hasUpdate = signal(false);

const LOOK_EVERY_MS = 10 * 60_000;
/** Names that are the same in every version. */
const FIXED = ["./", "./icon.svg", "./manifest.webmanifest"];
const PYTHON = "python/";

let usesPython = false;
let worker: ServiceWorker | null = null;

async function remove(): Promise<void> {
  // the worker still serves this page, and would keep what it serves
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of windows, not of workers
  navigator.serviceWorker.controller?.postMessage("leave");
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
}

/** A new version has another first script, because that one names all others. */
async function look(): Promise<void> {
  const own = document.querySelector<HTMLScriptElement>("script[type=module]")?.src.split("/").at(-1);
  try {
    const response = await fetch("./index.html", { cache: "no-cache" });
    if (response.ok && own !== undefined) hasUpdate.value = !(await response.text()).includes(own);
  } catch {
    // there is no network now
  }
}

async function tellParts(): Promise<void> {
  if (worker === null) return;
  const response = await fetch("./parts.json", { cache: "no-cache" });
  if (!response.ok) return;
  const known = (await response.json()) as string[];
  const wanted = known.filter((name) => usesPython || !name.startsWith(PYTHON));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of windows, not of workers
  worker.postMessage({ known, wanted: [...FIXED, ...wanted] });
}

/** Python is large: it is kept for those who have run something. */
export function keepPython(): void {
  if (usesPython) return;
  usesPython = true;
  void tellParts().catch(() => {});
}

/** Does nothing on a file system, in an insecure place, and while the page is developed. */
export async function installOffline(): Promise<void> {
  if (!("serviceWorker" in navigator) || !document.location.protocol.startsWith("http") || import.meta.env.DEV) return;
  if (new URLSearchParams(document.location.search).has("nosw")) return remove();
  await navigator.serviceWorker.register("./sw.js", { scope: "./" });
  worker = (await navigator.serviceWorker.ready).active;
  await tellParts();
  setInterval(() => void look(), LOOK_EVERY_MS);
  addEventListener("online", () => void look());
  addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void look();
  });
}
