/** The command line as a function: arguments and the outside world in, exit status out. */

import { DiagnosticError } from "../base/diagnostic.ts";
import { localeOf, message, messageOrCode, LOCALES, type Locale } from "../i18n/index.ts";
import { widthOf } from "./colour.ts";
import { PROGRAM, type Parsed } from "./command.ts";
import { allCommands, findCommand } from "./commands.ts";
import { declaresOption } from "./declared-options.ts";
import { EXIT } from "./exit-code.ts";
import { commandHelp, programHelp } from "./help-text.ts";
import type { Io } from "./io.ts";
import { parseCommandArgs } from "./parse.ts";
import { UsageError } from "./usage-error.ts";

/** `--lang` counts wherever it stands before `--`, so that even usage errors speak it. */
function requestedLocale(args: readonly string[], env: Io["env"]): Locale {
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  const index = own.findLastIndex((arg) => arg === "--lang" || arg.startsWith("--lang="));
  const typed =
    index === -1 ? undefined : own[index]!.includes("=") ? own[index]!.slice("--lang=".length) : own[index + 1];
  return LOCALES.find((locale) => locale === typed) ?? localeOf(env);
}

/** What stops a run though nothing was wrong with the way it was asked for. */
const RIGHTLY_ASKED: ReadonlySet<string> = new Set(["thread_out_of_memory", "cannot_write_now"]);

/** Runs one command. Everything that can go wrong ends in a message and an exit status, never in an exception. */
export async function runCommandLine(args: readonly string[], io: Io): Promise<number> {
  const locale = requestedLocale(args, io.env);
  let helpLine = `${PROGRAM} --help`;
  try {
    const [first, ...others] = withoutLang(args);
    if (first === undefined || first === "--help" || first === "-h") {
      io.out(programHelp(await allCommands(), locale, widthOf(io.env, io.outInfo)));
      return EXIT.ok;
    }
    if (["--version", "-V", "-v"].includes(first))
      return await (await findCommand("version")).run(context([], locale, io));
    if (first.startsWith("-")) throw new UsageError("unknown_option", { name: first });
    const command = await findCommand(first);
    helpLine = `${PROGRAM} ${command.name} --help`;
    const parsed = command.ownWords
      ? unread(others)
      : parseCommandArgs(command, others, (program, option, reach) => declaresOption(program, io.cwd, option, reach));
    if (parsed.flags.has("help")) {
      io.out(commandHelp(command, locale, widthOf(io.env, io.outInfo)));
      return EXIT.ok;
    }
    if (parsed.assumedRest === true)
      io.err(`${PROGRAM}: ${message(locale, "words_of_script", { words: parsed.rest.join(" ") })}\n`);
    return await command.run({ parsed, locale, io });
  } catch (error) {
    if (error instanceof UsageError) {
      const hint =
        error.hint === null ? message(locale, "see_help", { command: helpLine }) : message(locale, error.hint);
      io.err(`${PROGRAM}: ${message(locale, error.code, error.args)} (${hint})\n`);
      return EXIT.usage;
    }
    if (error instanceof DiagnosticError) {
      const { code, args } = error.diagnostic;
      if (RIGHTLY_ASKED.has(code)) {
        io.err(`${PROGRAM}: ${messageOrCode(locale, code, args)}\n`);
        return EXIT.programFailed;
      }
      const hint = message(locale, "see_help", { command: helpLine });
      io.err(`${PROGRAM}: ${messageOrCode(locale, code, args)} (${hint})\n`);
      return EXIT.usage;
    }
    const reason = error instanceof Error ? error.message : String(error);
    if (isMachineFault(error)) {
      io.err(`${PROGRAM}: ${message(locale, "machine_failed", { reason })}\n`);
      return EXIT.programFailed;
    }
    io.err(`${PROGRAM}: ${message(locale, "internal_error", { reason })}\n`);
    if (io.env["VRAMSCOPE_DEBUG"] && error instanceof Error) io.err(`${error.stack}\n`);
    return EXIT.ourBug;
  }
}

/** Words that the command reads itself, but for help in the first place. */
function unread(words: readonly string[]): Parsed {
  const asksHelp = words[0] === "--help" || words[0] === "-h";
  return { flags: new Set(asksHelp ? ["help"] : []), values: new Map(), positionals: [], rest: words };
}

/** A system call that failed where nobody expected it, or no memory: a full disk, a loop of links, too many open files. */
function isMachineFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { syscall, code } = error as NodeJS.ErrnoException;
  return typeof syscall === "string" || code === "ENOMEM" || /allocation failed|out of memory/i.test(error.message);
}

/** `--lang` before the command's name. */
function withoutLang(args: readonly string[]): readonly string[] {
  if (args[0] === "--lang") return args.slice(2);
  return args[0]?.startsWith("--lang=") ? args.slice(1) : args;
}

function context(positionals: readonly string[], locale: Locale, io: Io) {
  return {
    parsed: { flags: new Set<string>(), values: new Map<string, string[]>(), positionals, rest: [] },
    locale,
    io,
  };
}
