/** SARIF 2.1.0: findings as results of a code scan, which GitHub and editors show beside their lines. */

import { findingText } from "../report/words.ts";
import type { Finding } from "../explain/index.ts";
import type { Locale } from "../i18n/index.ts";
import type { Trace } from "../trace/model.ts";
import type { ExportFormat } from "./export-format.ts";
import { traceFacts } from "./trace-facts.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** Findings that are about a failure, not about what could be less. */
const FAILURES: ReadonlySet<string> = new Set(["oom_request"]);

/** `reserved_ahead` as `ReservedAhead`: names of rules are words without separators. */
const ruleName = (code: string): string => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A path as the reference of a URI, or null for what is no file. */
export function fileReference(file: string): string | null {
  if (file === "" || /^<.*>$/.test(file)) return null;
  const path = file.replaceAll("\\", "/");
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  if (/^[A-Za-z]:\//.test(path)) return `file:///${path.slice(0, 2)}${encoded.slice(encoded.indexOf("/"))}`;
  return path.startsWith("/") ? `file://${encoded}` : encoded;
}

function locationsOf(finding: Finding, trace: Trace): object[] {
  const frame = trace.frames[finding.frame];
  const uri = frame === undefined ? null : fileReference(frame.file);
  if (frame === undefined || uri === null) return [];
  const region = frame.line >= 1 ? { region: { startLine: frame.line } } : {};
  return [{ physicalLocation: { artifactLocation: { uri }, ...region } }];
}

function* write(trace: Trace, locale: Locale, findings: readonly Finding[]): Generator<string, void, undefined> {
  const codes = [...new Set(findings.map(({ code }) => code))];
  const log = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "VRAMScope",
            rules: codes.map((code) => ({
              id: code,
              name: ruleName(code),
              shortDescription: { text: code.replaceAll("_", " ") },
              help: { text: `vramscope explain ${code}` },
            })),
          },
        },
        results: findings.map((finding) => ({
          ruleId: finding.code,
          ruleIndex: codes.indexOf(finding.code),
          level: FAILURES.has(finding.code) ? "error" : "note",
          message: { text: findingText(locale, finding) },
          locations: locationsOf(finding, trace),
        })),
        columnKind: "utf16CodeUnits",
      },
    ],
  };
  yield `${JSON.stringify(log, null, 1)}\n`;
}

export const sarif: ExportFormat = {
  id: "sarif",
  extension: ".sarif",
  label: "export_sarif",
  write: (trace, { locale = "en", facts = traceFacts(trace) } = {}) => write(trace, locale, facts.findings),
};
