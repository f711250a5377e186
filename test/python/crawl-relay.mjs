// Loaded before the relay of a program's process, as it is built: when the relay has closed itself, walks over every object that the main
// thread's global object, Node's `process` and Node's modules lead to. Without Node's permission model, so that this wall is tried by itself.
import { crawl, load } from "./crawl.mjs";

const data = JSON.parse(process.env["VRAMSCOPE_CRAWL"]);
load(data.loads);
const send = process.send.bind(process);
const { setTimeout } = globalThis;
// these end the process, or what is between it and this test
const dangerous =
  /_fatalException|nextTick|\.(exit|reallyExit|_?disconnect|_?send)$|^process\.(channel|emit|_events|Symbol)/;

const begin = () => {
  if (Object.hasOwn(globalThis, "fetch")) setTimeout(begin, 20);
  else crawl({ ...data, dangerous }).then(send, (error) => send({ failed: String(error.stack) }));
};
setTimeout(begin, 20);
