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
x = torch.ones(2**20, device="cuda", requires_grad=True)
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
  const relay = fork(fileURLToPath(pathToFileURL(built("relay.js"))), ["64", "warm"], {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: [],
    env: {},
  });
  try {
    const ended = new Promise<FromRelay>((done, fail) => {
      relay.on("message", (message: FromRelay) => {
        if (message.from === "relay" && message.type === "broken") done(message);
        else if (message.from === "thread" && message.message.type === "result") fail(new Error("it ended"));
      });
      relay.once("exit", (code) => fail(new Error(`the process ended with ${code}`)));
    });
    relay.send({ to: "thread", task: { type: "run", request } });
    expect(await ended).toMatchObject({ code: "ERR_WORKER_OUT_OF_MEMORY" });
    const left = new Promise<FromRelay>((done) => {
      relay.on("message", (message: FromRelay) => {
        if (message.from === "relay" && message.type === "left") done(message);
      });
    });
    relay.send({ to: "relay", order: "hand_over" });
    const given = (await left) as Extract<FromRelay, { readonly type: "left" }>;
    // far more than a thousand tensors fit into it
    expect(given.left["trace.events.kind"]!.byteLength).toBeGreaterThan(1000);
  } finally {
    relay.kill("SIGKILL");
  }
});
