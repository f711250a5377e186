// Runs the programs of a corpus quickly: in interpreters that stay, one for each kind of run. Whatever does not come out as
// recorded there runs once more by itself, as a user's program does, and only that counts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { allocationsOf } from "./allocations.mjs";

const LIMIT_MS = 120_000;
/** What a program leaves in an interpreter adds up: after so many another one is started. */
const MOST_RUNS = 120;

/**
 * `jobs`: {script, argv, torch, gpu, attention, machine, kernelTemporaries ("off" unless said), ...}; `check(job, result)` gives null, or what is wrong with
 * {status, errorText, stdout, allocations}. Calls `done(job, problem)` for each job.
 */
export async function runCorpus({ dist, jobs, threads, check, done }) {
  const { runProgram } = await import(pathToFileURL(join(dist, "python", "run.js")));
  const { machineOf, requestOf } = await import(pathToFileURL(join(dist, "python", "request.js")));
  const kind = ({ torch, attention, kernelTemporaries }) => `${torch} ${attention} ${kernelTemporaries}`;
  // runs of one kind side by side, so that few interpreters are started
  const queue = [...jobs].sort((a, b) => (kind(a) < kind(b) ? -1 : kind(a) > kind(b) ? 1 : 0));

  const start = ({ torch, attention, kernelTemporaries = "off" }) => {
    const options = { script: "program.py", torch, attention, kernelTemporaries, gpu: "a100-80gb" };
    const request = requestOf(options, machineOf(options), { source: "", files: [], interrupt: null });
    const worker = new Worker(fileURLToPath(new URL("./corpus-thread.mjs", import.meta.url)), {
      workerData: { dist, request },
      env: {},
      stdout: true,
      stderr: true,
    });
    return { worker, runs: 0 };
  };

  const ask = ({ worker }, { script, argv, gpu, machine }) =>
    new Promise((resolve) => {
      const broken = (text) =>
        finish({ status: "internal_error", errorText: text, stdout: "", allocations: [], broken: true });
      const onError = (error) => broken(String(error));
      const onExit = () => broken("the thread ended");
      const limit = setTimeout(() => broken("no answer"), LIMIT_MS);
      const finish = (result) => {
        clearTimeout(limit);
        worker.off("message", finish).off("error", onError).off("exit", onExit);
        resolve(result);
      };
      worker.on("message", finish).on("error", onError).on("exit", onExit);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of windows, not of threads
      worker.postMessage({ source: readFileSync(script, "utf8"), argv, gpu, overrides: machine });
    });

  const alone = async ({ script, argv, torch, gpu, attention, machine, kernelTemporaries = "off" }) => {
    const options = { script, argv, torch, gpu, attention, kernelTemporaries, timeoutSeconds: LIMIT_MS / 1000 };
    const { status, errorText, stdout, trace } = await runProgram(options, { machine });
    return { status, errorText, stdout, allocations: allocationsOf(trace) };
  };

  const repeated = [];
  await Promise.all(
    Array.from({ length: threads }, async () => {
      let thread = null;
      let present = "";
      const end = async () => {
        const ended = thread?.worker;
        thread = null;
        await ended?.terminate();
      };
      for (let job; (job = queue.shift());) {
        if (thread !== null && (kind(job) !== present || thread.runs >= MOST_RUNS)) await end();
        present = kind(job);
        thread ??= start(job);
        thread.runs += 1;
        const result = await ask(thread, job);
        if (result.broken) await end();
        let problem = await check(job, result);
        if (problem !== null) {
          problem = await check(job, await alone(job));
          // a rule that depends on what ran before would show here
          if (problem === null) repeated.push(job.name ?? job.test?.id);
        }
        done(job, problem);
      }
      await end();
    }),
  );
  if (repeated.length > 0) console.log(`right only by themselves: ${repeated.join(", ")}`);
}
