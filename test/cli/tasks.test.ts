/**
 * docs/tasks.md keeps what it promises: each command is run as written, in a folder with the programs that it names, and its lines
 * come in that order. Those that take long are run with `VRAMSCOPE_TASKS=all`.
 */

import { cpSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, vramscope } from "../helpers.ts";

interface Step {
  readonly words: readonly string[];
  readonly status: number;
  readonly lines: readonly string[];
}

interface Task {
  readonly title: string;
  readonly slow: boolean;
  readonly steps: readonly Step[];
}

/** A heading, perhaps a remark that it takes long, and blocks of commands with what they print. */
function tasksOf(page: string): Task[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((text) => ({
      title: text.slice(0, text.indexOf("\n")),
      slow: text.includes("<!-- slow -->"),
      steps: [...text.matchAll(/```console\n([^]*?)```/g)].flatMap(([, block = ""]) =>
        block
          .split(/^\$ vramscope /m)
          .slice(1)
          .map((step): Step => {
            const [command = "", ...lines] = step.trimEnd().split("\n");
            const [typed = "", status = "0"] = command.split("  # ");
            const words = [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!);
            return { words, status: Number(status), lines: lines.filter((line) => line !== "" && line !== "...") };
          }),
      ),
    }));
}

const tasks = tasksOf(readFileSync(join(ROOT, "docs", "tasks.md"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "vramscope-tasks-"));
cpSync(join(ROOT, "examples"), join(folder, "examples"), { recursive: true });
cpSync(join(ROOT, "test", "cli", "tasks"), folder, { recursive: true });
cpSync(join(ROOT, "web", "samples"), folder, { recursive: true });

describe("the page of tasks", () => {
  it("has all of them, and each a command or a word why not", () => {
    expect(tasks.map(({ title }) => Number(/^\d+/.exec(title)?.[0]))).toEqual(
      Array.from({ length: 25 }, (_, index) => index + 1),
    );
    const page = readFileSync(join(ROOT, "docs", "tasks.md"), "utf8");
    const unanswered = tasks.filter(({ steps }) => steps.length === 0).map(({ title }) => title);
    for (const title of unanswered) expect(page.split(`## ${title}`)[1]!.trimStart()).toMatch(/^Not yet/);
    // programs that nobody uses would be left over
    for (const name of readdirSync(join(ROOT, "test", "cli", "tasks"))) expect(page).toContain(name);
  });

  const run = process.env["VRAMSCOPE_TASKS"] === "all" ? tasks : tasks.filter(({ slow }) => !slow);
  it.each(run.filter(({ steps }) => steps.length > 0).map((task) => [task.title, task] as const))(
    "%s",
    { timeout: 300_000 },
    async (_, { steps }) => {
      for (const { words, status, lines } of steps) {
        const { code, out, err } = await vramscope(words, { cwd: folder, env: { COLUMNS: "80" } });
        expect([words.join(" "), code, code === status ? "" : err]).toEqual([words.join(" "), status, ""]);
        const printed = `${out}${err}`.split("\n");
        let from = 0;
        for (const expected of lines) {
          const at = printed.findIndex((line, index) => index >= from && line.startsWith(expected));
          expect([words.join(" "), expected, at >= 0]).toEqual([words.join(" "), expected, true]);
          from = at + 1;
        }
      }
    },
  );
});
