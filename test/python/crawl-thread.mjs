// A thread that closes itself as a program's thread does, and then walks over every object that its global object, Node's `process`
// and Node's modules lead to. It runs without Node's permission model, so that this wall is tried by itself.
import { parentPort, workerData } from "node:worker_threads";
import { crawl, load } from "./crawl.mjs";

const { dist, loads } = workerData;
const { closeThread } = await import(`${dist}/python/sandbox.js`);
const { closeNode } = await import(`${dist}/python/node-sandbox.js`);

load(loads);
const post = parentPort.postMessage.bind(parentPort);
// these end the thread or wait for later
const dangerous = /_fatalException|nextTick|\.(exit|reallyExit)$/;

parentPort.once("message", () => {
  closeNode();
  closeThread();
  crawl({ ...workerData, dangerous }).then(post, (error) => post({ failed: String(error.stack) }));
});
post("ready");
