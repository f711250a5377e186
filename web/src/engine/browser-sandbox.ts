/** What a browser offers to a worker, taken away before a program runs: network, storage, other threads, messages to others. */

import { replace } from "../../../src/python/sandbox.ts";

const POWERS = [
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "WebSocketStream",
  "WebTransport",
  "EventSource",
  "Request",
  "Response",
  "Headers",
  "BroadcastChannel",
  "MessageChannel",
  "MessagePort",
  "Worker",
  "SharedWorker",
  "importScripts",
  "indexedDB",
  "IDBFactory",
  "caches",
  "CacheStorage",
  "cookieStore",
  "navigator",
  "postMessage",
  "close",
  "eval",
  "queueMicrotask",
  "structuredClone",
  "webkitRequestFileSystem",
  "webkitRequestFileSystemSync",
  "showOpenFilePicker",
  "FileReader",
  "FileReaderSync",
  "Notification",
  "URL",
  "location",
  "origin",
  "scheduler",
  "trustedTypes",
  "OffscreenCanvas",
  "RTCDataChannel",
  "PushManager",
] as const;

/** Irreversible. Whoever must answer later keeps the function before. */
export function closeBrowser(): void {
  // a name may be the scope's own or come from a prototype: the own one hides the other
  for (let table: object | null = globalThis; table !== null && table !== Object.prototype;) {
    for (const name of POWERS) if (Object.hasOwn(table, name)) replace(table, name, undefined);
    table = Object.getPrototypeOf(table) as object | null;
  }
}
