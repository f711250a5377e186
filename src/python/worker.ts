/** The thread in which programs run: interpreter, engine and bridge; it talks to its relay by messages only. */

import { constants } from "node:fs";
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { hostAsker } from "./ask-host.ts";
import { INSTALLED_PARTS, partsWithSnapshot } from "./files.ts";
import { askForFiles } from "./host-files.ts";
import { startInterpreter, startToFreeze } from "./interpreter.ts";
import { closeNode } from "./node-sandbox.ts";
import { RANK_SERVICE } from "./rank-questions.ts";
import { READER_SERVICE, type ThreadData } from "./relay-messages.ts";
import { taskTaker, type Task } from "./tasks.ts";

const port = parentPort;
if (!port) throw new Error("worker.ts is not a program");
const { start, snapshot, interrupt, host } = workerData as ThreadData;

// Node's permission model closes it, and Pyodide asks it for these numbers when it starts
(process as unknown as { binding: () => unknown }).binding = () => ({ fs: constants });

const parts = snapshot === null ? INSTALLED_PARTS : partsWithSnapshot(snapshot);
const interpreter = start === "freeze" ? startToFreeze(parts) : startInterpreter(parts, start === "cold");
// whoever gives a task hears of it
interpreter.catch(() => {});
const ask = hostAsker(host);
/** What a program prints lies in memory until it is read: after so many characters it waits for whoever follows it. */
const MOST_UNREAD = 2 ** 24;
let unread = 0;
function waitForReader(characters: number): void {
  unread += characters;
  if (unread < MOST_UNREAD) return;
  unread = 0;
  ask(READER_SERVICE, null);
}
const take = taskTaker({
  interpreter,
  post: (message, handOver = []) => {
    port.postMessage(message, handOver);
    if (message.type === "output") waitForReader(message.text.length);
  },
  closeHost: closeNode,
  hostFiles: askForFiles(ask),
  askRanks: (question) => ask(RANK_SERVICE, question),
});
port.on("message", (task: Task) =>
  take("request" in task ? { ...task, request: { ...task.request, interrupt } } : task),
);
