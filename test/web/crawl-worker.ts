/** What runs in the worker of the page in a browser, for tests: as texts of functions, so that each needs nothing around it. */

type Importing = (address: string) => Promise<unknown>;

/** Everything that is outside of the worker, by what could reach it; `got` is what it was. Runs in a worker that is not closed. */
export async function reachOut(port: number): Promise<Record<string, string>> {
  const scope = globalThis as unknown as Record<string, new (...words: unknown[]) => EventTarget & { close?(): void }>;
  // as a text, because this one is changed on its way through a test
  // oxlint-disable-next-line no-eval -- a text of this test's own
  const importing = (0, eval)("(address) => import(address)") as Importing;
  const there = `127.0.0.1:${port}`;
  const opened = (name: string, address: string): Promise<string> =>
    new Promise((done) => {
      try {
        const thing = new scope[name]!(address);
        for (const kind of ["open", "message", "load"]) thing.addEventListener(kind, () => done("reached"));
        for (const kind of ["error", "close"]) thing.addEventListener(kind, () => done("refused"));
      } catch (error) {
        done(`refused: ${(error as Error).name}`);
      }
    });
  const settled = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => "reached",
      (error: unknown) => `refused: ${(error as Error).name}`,
    );
  const asked = new XMLHttpRequest();
  const answered = new Promise<string>((done) => {
    asked.addEventListener("load", () => done("reached"));
    asked.addEventListener("error", () => done("refused"));
  });
  asked.open("GET", `http://${there}/xhr`);
  asked.send();
  return {
    fetched: await settled(fetch(`http://${there}/fetch`, { mode: "no-cors" })),
    asked: await answered,
    socket: await opened("WebSocket", `ws://${there}/socket`),
    events: await opened("EventSource", `http://${there}/events`),
    imported: await settled(importing(`http://${there}/module.js`)),
    dataModule: await settled(importing("data:text/javascript,export default 1")),
    worker: await opened("Worker", `http://${there}/worker.js`),
  };
}

/**
 * Prepares a walk over everything that the worker's global object leads to, for when the worker is closed: a message on the channel
 * of that name starts it, and the findings come back on it.
 */
export function prepareCrawl([walkText, names, channelName, port]: readonly [
  string,
  readonly string[],
  string,
  number,
]): void {
  type Walk = (roots: object, see: (thing: object, path: string) => void) => Set<object>;
  type Globals = Record<string, unknown>;
  // oxlint-disable-next-line no-eval -- a text of this test's own
  const walk = (0, eval)(`(${walkText})`) as Walk;
  // oxlint-disable-next-line no-eval -- a text of this test's own
  const importing = (0, eval)("(address) => import(address)") as Importing;
  const before = globalThis as unknown as Globals;
  const syntax = [[], "", new Map(), new Set(), "".matchAll(/./g)].map((list) => list[Symbol.iterator]());
  const functions = [() => {}, async () => {}, function* () {}, async function* () {}];
  const language = walk(
    { ...Object.fromEntries(names.map((name) => [name, before[name]])), syntax, functions },
    () => {},
  );
  const channel = new BroadcastChannel(channelName);
  const tell = channel.postMessage.bind(channel);
  const powers = Object.fromEntries(
    "fetch XMLHttpRequest WebSocket EventSource Worker BroadcastChannel indexedDB caches navigator importScripts postMessage eval close"
      .split(" ")
      .map((name) => [name, before[name] !== undefined]),
  );
  const attempt = (f: () => unknown): string => {
    try {
      return String(f());
    } catch (error) {
      return `! ${(error as Error).message}`;
    }
  };
  const crawl = async (): Promise<void> => {
    const foreign: [string, (...words: unknown[]) => unknown][] = [];
    const roots = { globalThis, syntax, functions };
    const things = walk(roots, (thing, path) => {
      if (typeof thing === "function" && !language.has(thing)) foreign.push([path, thing as () => unknown]);
    });
    const isClosed = (f: (...words: unknown[]) => unknown): boolean =>
      [[], ["/parts.json"], [`http://127.0.0.1:${port}/crawl`], [{}]].every(
        (words) => attempt(() => f(...words)) === "! closed",
      );
    const imported = await importing(`http://127.0.0.1:${port}/later.js`).then(
      () => "reached",
      () => "refused",
    );
    const now = globalThis as unknown as Globals;
    tell({
      things: things.size,
      before: Object.keys(powers).filter((name) => powers[name]),
      after: Object.keys(powers).filter((name) => now[name] !== undefined),
      open: foreign.filter(([, f]) => !isClosed(f)).map(([path]) => path),
      imported,
      code: [
        attempt(() => (0, Reflect.get(globalThis, "eval") as (text: string) => unknown)("1")),
        attempt(() => Function("return 1")()),
        attempt(() => (() => {}).constructor("return 1")),
        attempt(() => (async () => {}).constructor("return 1")),
        attempt(() => Reflect.defineProperty(Object.prototype, "debug_ffi", { value: 1 })),
        attempt(() => Reflect.set(Array.prototype, "push", 1)),
      ],
    });
  };
  channel.addEventListener("message", () => void crawl().catch((error: unknown) => tell({ failed: String(error) })));
}
