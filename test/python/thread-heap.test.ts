/** The limit of the heap of the thread in which programs run: a relay of few megabytes, and a program whose graph outgrows them. */

import { fork } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { FromRelay } from "../../src/python/relay-messages.ts";
import { ROOT } from "../helpers.ts";

const built = (path: string): string => join(ROOT, "dist", "python", path);
const { machineOf, requestOf } = (await import(
  pathToFileURL(built("request.js")).href
)) as typeof import("../../src/python/request.ts");

it("ends the thread and not the process, and what was recorded is there", async () => {
  const source = `
import torch
x = torch.ones(1, device="cuda", requires_grad=True)
kept = []
while True:
    kept.append(x + 1)
`;
  const options = { script: "a.py", source, passes: "all" } as const;
  const request = requestOf(options, machineOf({ ...options, gpu: "h200-141gb" }), {
    source,
    files: [],
    interrupt: null,
  });
  const relay = fork(fileURLToPath(pathToFileURL(built("relay.js"))), ["128", "warm"], {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: [],
    env: {},
  });
  const codes: string[] = [];
  let eventBytes = 0;
  try {
    const over = new Promise<void>((done, fail) => {
      relay.on("message", (message: FromRelay) => {
        if (message.from === "thread") {
          if (message.message.type === "result") fail(new Error("the program ended"));
        } else if (message.type === "broken") {
          // of its end it tells, too
          codes.push(message.code);
          if (codes.length > 1) return;
          relay.send({ to: "relay", order: "hand_over" });
        } else if (message.type === "portion" || message.type === "left") {
          eventBytes += message.left["trace.events.kind"]?.byteLength ?? 0;
          if (message.type === "left") done();
        }
      });
      relay.once("exit", (code) => fail(new Error(`the process ended with ${code}`)));
    });
    relay.send({ to: "thread", task: { type: "run", request } });
    await over;
    expect(codes[0]).toBe("ERR_WORKER_OUT_OF_MEMORY");
    // a byte an event: far more than a thousand tensors fit into the heap
    expect(eventBytes).toBeGreaterThan(1000);
  } finally {
    relay.kill("SIGKILL");
  }
});
