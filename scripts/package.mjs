/**
 * The npm package as a user gets it: packed, installed into an empty folder and tried there; its types with compilers from 5.6 on.
 *
 *   npm run package [-- --publish]
 *
 * It needs the registry. --publish publishes what passed; in CI with provenance.
 */

import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, ensureInstalled, ensurePage, root } from "./ensure.mjs";
import { CONSUMER, consumerConfig, MOST_UNPACKED_BYTES, TYPESCRIPT_VERSIONS } from "./package/consumer.mjs";

const { values } = parseArgs({ options: { publish: { type: "boolean", default: false } } });
const say = (text) => console.log(text);
const npm = (args, cwd) => execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
/** Throws with what the tool said. */
const must = (isTrue, text) => {
  if (!isTrue) throw new Error(text);
};

ensureInstalled();
ensureBuilt();
ensurePage();
const folder = mkdtempSync(join(tmpdir(), "vramscope-package-"));
try {
  const [packed] = JSON.parse(npm(["pack", "--json", "--ignore-scripts", "--pack-destination", folder], root));
  say(`${packed.filename}: ${mib(packed.size)}, unpacked ${mib(packed.unpackedSize)}, ${packed.entryCount} files`);
  must(packed.unpackedSize <= MOST_UNPACKED_BYTES, `unpacked it is more than ${mib(MOST_UNPACKED_BYTES)}`);

  const place = join(folder, "empty");
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  npm(["install", "--no-audit", "--no-fund", "--loglevel=error", join(folder, packed.filename)], place);
  await tryCommands(place);
  for (const version of TYPESCRIPT_VERSIONS) checkTypes(place, version);
  if (values.publish) {
    const args = process.env.CI === undefined ? [] : ["--provenance"];
    npm(["publish", "--access", "public", ...args, join(folder, packed.filename)], root);
    say("published");
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The command in the empty folder: a version, a run of a program, the page with all that it names. */
async function tryCommands(place) {
  const cli = join(place, "node_modules", ".bin", "vramscope");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  must(execFileSync(cli, ["version"], { encoding: "utf8" }).trim() === version, "another version answers");
  cpSync(join(root, "examples", "attention.py"), join(place, "attention.py"));
  const report = execFileSync(cli, ["run", "--torch", "1.13", "attention.py"], { cwd: place, encoding: "utf8" });
  must(report.includes("peak 44.00 MiB"), `attention.py printed:\n${report}`);
  say("command: version, run");

  const server = spawn(cli, ["serve", "--no-open", "--port", "0"], { stdio: ["ignore", "ignore", "pipe"] });
  try {
    const line = await new Promise((done) => server.stderr.once("data", (data) => done(String(data))));
    const address = /http:\S+/.exec(line)[0];
    const list = await (await fetch(`${address}parts.json`)).json();
    must(list.length > 10, "the page names no parts");
    for (const name of ["", ...list]) {
      const response = await fetch(address + name);
      must(response.ok, `${response.status} for /${name}`);
      await response.arrayBuffer();
    }
    say(`page: ${list.length} parts`);
  } finally {
    server.kill();
  }
}

function checkTypes(place, version) {
  const tools = join(folder, `typescript-${version}`);
  mkdirSync(tools);
  npm(["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", tools, `typescript@${version}`], tools);
  if (!existsSync(join(place, "node_modules", "@types", "node"))) {
    npm(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "@types/node@20"], place);
  }
  writeFileSync(join(place, "use.ts"), CONSUMER);
  writeFileSync(join(place, "tsconfig.json"), JSON.stringify(consumerConfig("use.ts")));
  const tsc = join(tools, "node_modules", "typescript", "bin", "tsc");
  try {
    execFileSync(process.execPath, [tsc, "-p", place], { encoding: "utf8" });
  } catch (error) {
    throw new Error(`TypeScript ${version}:\n${error.stdout}`, { cause: error });
  }
  const { version: exact } = JSON.parse(readFileSync(join(dirname(dirname(tsc)), "package.json"), "utf8"));
  say(`types: TypeScript ${exact}`);
}

function mib(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
