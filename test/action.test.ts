/** The GitHub Action: what its shell script does on a runner, in a repository with a base commit; and that action.yml names only what exists. */

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLI, folderWith, ROOT, start } from "./helpers.ts";

const program = (mebibytes: number): string =>
  `import torch\nx = torch.zeros(${mebibytes} << 20, dtype=torch.uint8, device="cuda")\n`;

describe.skipIf(spawnSync("bash", ["-c", "git --version"]).status !== 0)("the action", () => {
  const folder = folderWith({ "train.py": program(64), "same.py": program(8) });
  const git = (...words: string[]): string => execFileSync("git", words, { cwd: folder, encoding: "utf8" }).trim();
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "base");
  const base = git("rev-parse", "HEAD");
  writeFileSync(join(folder, "train.py"), program(192));

  async function measured(change: Record<string, string>) {
    const output = join(folderWith({}), "output");
    const env = {
      SCRIPTS: "train.py\n\nsame.py --any words\n",
      GPU: "t4",
      TORCH: "",
      LIMIT: "",
      FAIL_OVER: "",
      BASE: base,
      SARIF: "",
      VRAMSCOPE: `${process.execPath} ${CLI}`,
      GITHUB_OUTPUT: output,
      HOME: folder,
      LANG: "C",
      ...change,
    };
    const { code, err } = await start("bash", [join(ROOT, "scripts", "action", "measure.sh")], { cwd: folder, env });
    expect([code, err]).toEqual([0, ""]);
    const outputs = Object.fromEntries(
      readFileSync(output, "utf8")
        .trim()
        .split("\n")
        .map((line) => line.split("=") as [string, string]),
    );
    return { fits: outputs["fits"], report: readFileSync(outputs["report"]!, "utf8") };
  }

  it("reports each script and what changed against the base", async () => {
    const { fits, report } = await measured({ SARIF: "findings" });
    expect(fits).toBe("true");
    expect(report).toContain("192.00 MiB");
    expect(report).toContain("+128.00 MiB");
    expect(report.match(/same\.py/g)!.length).toBeGreaterThan(0);
    for (const name of ["1.sarif", "2.sarif"]) expect(existsSync(join(folder, "findings", name))).toBe(true);
    expect(git("worktree", "list").split("\n")).toHaveLength(1);
  });

  it("is over budget when a script grows too much, and when one is over the limit", async () => {
    expect((await measured({ FAIL_OVER: "64MiB", SCRIPTS: "train.py" })).fits).toBe("false");
    expect((await measured({ LIMIT: "100MiB", SCRIPTS: "train.py", BASE: "none" })).fits).toBe("false");
  });
});

describe.skipIf(spawnSync("bash", ["-c", "true"]).status !== 0)("the step that comments", () => {
  it("edits its comment on the pull request, or makes one, with the report as its body", () => {
    const action = readFileSync(join(ROOT, "action.yml"), "utf8");
    const [, command = ""] = /^ {6}run: (gh .*)$/m.exec(action)!;
    // what GitHub's own tool would be asked for
    const folder = folderWith({
      gh: '#!/usr/bin/env bash\nprintf "%s\\n" "$@" > "$ASKED"\nwhile [ $# -gt 1 ]; do shift; done\ncat "$1" > "$ASKED.body"\n',
      "report.md": "### GPU memory\n",
    });
    chmodSync(join(folder, "gh"), 0o755);
    const asked = join(folder, "asked");
    const env = {
      PATH: `${folder}:${process.env["PATH"]}`,
      ASKED: asked,
      GITHUB_REPOSITORY: "someone/model",
      PULL_REQUEST: "17",
      REPORT: join(folder, "report.md"),
    };
    expect(spawnSync("bash", ["-e", "-c", command], { env, cwd: folder }).status).toBe(0);
    expect(readFileSync(asked, "utf8").trim().split("\n")).toEqual(
      "pr comment 17 --repo someone/model --edit-last --create-if-none --body-file".split(" ").concat(env.REPORT),
    );
    expect(readFileSync(`${asked}.body`, "utf8")).toBe("### GPU memory\n");
    // only on a pull request, and not where it is turned off
    const [, when] = /^ {4}- if: (.*)\n(?:(?! {4}- ).*\n)* {6}run: gh /m.exec(action)!;
    expect(when).toContain("github.event.pull_request.number");
    expect(when).toContain("inputs.comment == 'true'");
  });
});

it("names files and inputs that exist", () => {
  const action = readFileSync(join(ROOT, "action.yml"), "utf8");
  const [, path] = /\$GITHUB_ACTION_PATH\/([\w./-]+)/.exec(action)!;
  expect(existsSync(join(ROOT, path!))).toBe(true);
  const inputs = new Set([...action.split("\noutputs:")[0]!.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name));
  for (const [, name] of action.matchAll(/\$\{\{ inputs\.([\w-]+)/g)) expect(inputs).toContain(name);
  // what a pull request can name never becomes a part of a command's text
  for (const [, run] of action.matchAll(/^ {6}run: (.*)$/gm)) expect(run).not.toContain("${{");
});
