/**
 * Keeps the page usable without a network. Files that are named after their content are kept for ever; the page itself and all
 * other names are asked for first and taken from the store only when there is no answer, so that no old version sticks.
 */

interface LifeEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends LifeEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface PageMessage extends LifeEvent {
  readonly data: Parts | "leave";
}
interface Scope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "install" | "activate", listener: (event: LifeEvent) => void): void;
  addEventListener(type: "message", listener: (event: PageMessage) => void): void;
}

const scope = globalThis as unknown as Scope;
const STORE = "vramscope-1";
/** Whether a page has taken this worker away: it serves that page to its end, and keeps nothing any more. */
let leaves = false;
const HASHED = /\/(?:assets\/[^/]+-[\w-]{8,}\.\w+|python\/[0-9a-f]{12}\/[^/]+)$/;

/** Whole in memory first: a store that waits for a body waits with everything else that it is asked. */
async function keep(request: Request | string, response: Response): Promise<void> {
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  if (leaves) return;
  const store = await caches.open(STORE);
  await store.put(request, new Response(body, { status, statusText, headers }));
}

async function stored(request: Request): Promise<Response | undefined> {
  if (leaves) return undefined;
  return (await caches.open(STORE)).match(request, { ignoreSearch: true });
}

/** The page gets its answer while a copy is kept. */
async function fetched(event: FetchEvent): Promise<Response> {
  const response = await fetch(event.request);
  // what a page that goes away has not read whole is not kept
  if (response.ok) event.waitUntil(keep(event.request, response.clone()).catch(() => {}));
  return response;
}

const kept = async (event: FetchEvent): Promise<Response> => (await stored(event.request)) ?? fetched(event);

async function fresh(event: FetchEvent): Promise<Response> {
  try {
    return await fetched(event);
  } catch (error) {
    const found = await stored(event.request);
    if (found !== undefined) return found;
    throw error;
  }
}

scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  const path = address.href.slice(scope.registration.scope.length);
  const isOurs = address.href.startsWith(scope.registration.scope) && request.method === "GET";
  // a file that is handed over once is nobody else's
  if (!isOurs || path.startsWith("handed/")) return;
  event.respondWith(HASHED.test(address.pathname) ? kept(event) : fresh(event));
});

/** `known`: all files of the version that is shown; others that were kept go. `wanted`: those to have before they are asked for. */
interface Parts {
  readonly known: readonly string[];
  readonly wanted: readonly string[];
}

async function keepOnly({ known, wanted }: Parts): Promise<void> {
  if (leaves) return;
  const store = await caches.open(STORE);
  const addresses = new Set(known.map((name) => new URL(name, scope.registration.scope).href));
  for (const request of await store.keys()) {
    if (HASHED.test(new URL(request.url).pathname) && !addresses.has(request.url)) await store.delete(request);
  }
  for (const name of wanted) {
    const address = new URL(name, scope.registration.scope).href;
    if ((await store.match(address)) !== undefined) continue;
    const response = await fetch(address).catch(() => null);
    if (response?.ok) await keep(address, response).catch(() => {});
  }
}

/** After what was kept before, so that nothing is left. */
async function leave(): Promise<void> {
  leaves = true;
  await caches.delete(STORE);
}

scope.addEventListener("message", (event) => event.waitUntil(event.data === "leave" ? leave() : keepOnly(event.data)));
