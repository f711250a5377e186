/** `vramscope serve`: the page on this machine, and what `--web` of other commands opens. */

import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { message, type Locale } from "../i18n/index.ts";
import { valueOf, type Command, type CommandContext, type Parsed } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { STDIN_NAME } from "./files.ts";
import type { Io } from "./io.ts";
import { servePage, type Handed, type PageServer } from "./page-server.ts";
import { UsageError } from "./usage-error.ts";

/** V, R, A, M on the keys of a telephone. One port, so that what the browser keeps for the page is found again. */
const DEFAULT_PORT = 8726;
const PORTS_TRIED = 10;
const HOSTS = ["127.0.0.1", "::1"] as const;
/** Sources and build lie equally deep below it. */
const PAGE = fileURLToPath(new URL("../../dist/web/", import.meta.url));

export const serveCommand: Command = {
  name: "serve",
  summary: "command_serve",
  usage: "[options]",
  arguments: [],
  options: [
    { name: "port", value: "NUMBER", defaultValue: String(DEFAULT_PORT), summary: "option_port" },
    { name: "host", value: "ADDRESS", defaultValue: HOSTS[0], summary: "option_host" },
    { name: "no-open", summary: "option_no_open" },
  ],
  examples: [
    { line: "vramscope serve", summary: "example_serve" },
    { line: "vramscope open --web snapshot.pickle", summary: "example_open_web" },
  ],
  run: ({ parsed, locale, io }: CommandContext) =>
    showPage(
      { port: portOf(valueOf(parsed, "port")), host: hostOf(parsed), opens: !parsed.flags.has("no-open") },
      [],
      locale,
      io,
    ),
};

function hostOf(parsed: Parsed): string | undefined {
  const typed = valueOf(parsed, "host");
  if (typed === undefined || HOSTS.some((host) => host === typed)) return typed;
  const port = portOf(valueOf(parsed, "port")) ?? DEFAULT_PORT;
  throw new UsageError("serve_this_machine_only", { choices: HOSTS.join(", "), port: String(port) });
}

function portOf(typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  const port = Number(typed);
  if (!/^\d{1,5}$/.test(typed) || port > 65_535) throw new UsageError("bad_port", { value: typed });
  return port;
}

export interface PageOptions {
  /** Default: the usual one, or the next that is free. */
  readonly port?: number;
  readonly host?: string;
  /** Whether a browser is opened. */
  readonly opens: boolean;
  /** How the viewer shall read the files: `device`, `format`. */
  readonly reading?: Readonly<Record<string, string>>;
}

/** @throws {UsageError} where the page was not built. */
export function requirePage(): void {
  if (!existsSync(`${PAGE}index.html`)) throw new UsageError("page_not_built");
}

/** Serves the page, with these files open in it, until Ctrl+C. */
export async function showPage(
  options: PageOptions,
  files: readonly Handed[],
  locale: Locale,
  io: Io,
): Promise<ExitCode> {
  requirePage();
  const { port, host = HOSTS[0], opens } = options;
  const ports = port === undefined ? Array.from({ length: PORTS_TRIED }, (_, i) => DEFAULT_PORT + i) : [port];
  let server: PageServer;
  try {
    server = await servePage(PAGE, host, ports);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError("cannot_serve", { port: ports[0]!, reason });
  }
  const handed = files.map(server.handOver).join(",");
  const query = new URLSearchParams({ handed, ...options.reading });
  const address = server.address + (handed === "" ? "" : `#/open?${query}`);
  // standard output belongs to what the command is asked for
  io.err(`${message(locale, "serving", { address })}\n`);
  if (opens) openBrowser(address);
  await new Promise<void>((done) => {
    if (io.signal.aborted) done();
    else io.signal.addEventListener("abort", () => done(), { once: true });
  });
  await server.close();
  return EXIT.ok;
}

/** A file of the command line for the page; `-` is standard input. */
export function handedFile(typed: string, io: Io): Handed {
  if (typed === "-") return { name: STDIN_NAME, bytes: io.readStdinBytes() };
  const path = resolve(io.cwd, typed);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError("script_not_found", { path: typed });
  if (!stats.isFile()) throw new UsageError("not_a_file", { path: typed });
  return { name: typed, path };
}

/** Asks the system for a browser. Where there is none, the printed address is all that there is. */
function openBrowser(address: string): void {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", address]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", address]
        : ["xdg-open", address];
  const child = spawn(command!, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
