// A thread in which the programs of a corpus run one after another in one interpreter, each on a machine of its own.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { allocationsOf } from "./allocations.mjs";

const { dist, request } = workerData;
const load = (name) => import(pathToFileURL(join(dist, "python", name)));
const [{ startInterpreter }, { INSTALLED_PARTS }, { repeatedProgram }, { closeNode }] = await Promise.all(
  ["interpreter.js", "files.js", "repeated-program.js", "node-sandbox.js"].map(load),
);
const post = parentPort.postMessage.bind(parentPort);
const { pyodide, closeCalls } = await startInterpreter(INSTALLED_PARTS);
let stdout = [];
const decoder = new TextDecoder();
const output = {
  write: (bytes) => {
    stdout.push(decoder.decode(bytes, { stream: true }));
    return bytes.length;
  },
};
let program = null;
// this thread is closed when it has begun to listen: Node needs its modules until then
const start = () => {
  const started = repeatedProgram(pyodide, request, () => {
    closeNode();
    closeCalls();
  });
  pyodide.setStdout(output);
  return started;
};
parentPort.on("message", ({ source, argv, gpu, overrides }) => {
  stdout = [];
  try {
    if (program === null) program = start();
    else program.order("restore");
    program.renew({ gpu, overrides });
    program.order("program", source);
    const [status, , errorText] = program.order("run", {}, argv);
    const operators = program.operators();
    post({ status, errorText, stdout: stdout.join(""), operators, allocations: allocationsOf(program.finish()) });
  } catch (error) {
    post({
      status: "internal_error",
      errorText: String(error?.stack ?? error).slice(0, 4000),
      stdout: "",
      allocations: [],
    });
  }
});
