/** What the page shows before anything ran: a training run, and a snapshot to try the viewer with, both made by the command line at build time. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The first example of the playground, as its options are there. */
const FIRST = { folder: "examples", script: "training.py", gpu: "rtx-4090" } as const;
const SAMPLE = { folder: "web/samples", script: "keeps_outputs.py", gpu: "rtx-4090" } as const;

function madeBy(root: string, run: { readonly folder: string; readonly script: string; readonly gpu: string }) {
  const out = mkdtempSync(join(tmpdir(), "vramscope-page-"));
  try {
    const [trace, snapshot] = [join(out, "trace.json"), join(out, "snapshot.pickle")];
    const words = ["run", "--gpu", run.gpu, "--report", "none", "-o", trace, "--export", `snapshot=${snapshot}`];
    const stdout = execFileSync(process.execPath, [join(root, "dist/cli/main.js"), ...words, run.script], {
      cwd: join(root, run.folder),
      encoding: "utf8",
    });
    return { stdout, trace: readFileSync(trace, "utf8"), snapshot: readFileSync(snapshot) };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

const hashed = (name: string, ending: string, source: string | Buffer): string =>
  `assets/${name}-${createHash("sha256").update(source).digest("hex").slice(0, 10)}.${ending}`;

/** Files under names that change with their content, and the constants by which the page finds them. */
export function storedAnswers(root: string): Plugin {
  const { stdout, trace } = madeBy(root, FIRST);
  const first = JSON.stringify({ stdout, trace });
  const { snapshot } = madeBy(root, SAMPLE);
  const proof = readFileSync(join(root, "docs/compare.md"));
  const files = new Map<string, string | Buffer>([
    [hashed("first-answer", "json", first), first],
    [hashed("sample", "pickle", snapshot), snapshot],
    [hashed("compare", "txt", proof), proof],
  ]);
  const [firstAnswer, sample, proofPage] = [...files.keys()];
  return {
    name: "stored-answers",
    config: () => ({
      define: {
        __FIRST_ANSWER__: JSON.stringify(firstAnswer),
        __SAMPLE_SNAPSHOT__: JSON.stringify(sample),
        __PROOF__: JSON.stringify(proofPage),
      },
    }),
    generateBundle() {
      for (const [fileName, source] of files) this.emitFile({ type: "asset", fileName, source });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const source = files.get(request.url?.split("?")[0]?.slice(1) ?? "");
        if (source === undefined) return next();
        response.end(source);
      });
    },
  };
}
