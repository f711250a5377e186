// `npm test`: installs and builds if needed, the page and a browser for it, too, runs all tests, and ends with `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt, ensureChromium, ensureFirefox, ensureInstalled, ensurePage, root } from "./ensure.mjs";

ensureInstalled();
ensureBuilt();
ensurePage();
try {
  ensureChromium();
} catch (error) {
  // the tests of the page will fail and say it, too; all others can run
  console.error(error.message);
}
ensureFirefox();
const folder = mkdtempSync(join(tmpdir(), "vramscope-test-"));
const json = join(folder, "results.json");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const run = spawnSync(
  process.execPath,
  [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${json}`, ...process.argv.slice(2)],
  // what tests leave behind lies in one folder, which goes at the end
  { cwd: root, stdio: "inherit", env: { ...process.env, TMPDIR: folder } },
);
let passed = 0;
let failed = 0;
let skipped = 0;
try {
  const results = JSON.parse(readFileSync(json, "utf8"));
  passed = results.numPassedTests;
  failed = results.numFailedTests;
  skipped = results.numPendingTests + results.numTodoTests;
  // a file that does not load has no tests of its own, and still failed
  failed += results.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
} catch {
  failed = 1;
}
rmSync(folder, { recursive: true, force: true });
if (run.status !== 0 && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed ? 1 : 0;
