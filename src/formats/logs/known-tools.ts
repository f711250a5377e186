/** Recordings of tools that are not read: each is named, with what to do instead. */

import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { ForeignFormat } from "../foreign-format.ts";

interface KnownTool {
  readonly id: string;
  readonly title: string;
  readonly extensions: readonly string[];
  readonly code: string;
  readonly sniff: (head: Uint8Array, text: string, name: string) => boolean;
}

const TOOLS: readonly KnownTool[] = [
  {
    id: "scalene",
    title: "Scalene profile (named only)",
    extensions: ["json", "html"],
    code: "tool_scalene",
    // scalene/scalene_json.py
    sniff: (_head, text) => text.includes('"alloc_samples"') && text.includes('"max_footprint_mb"'),
  },
  {
    id: "memray",
    title: "memray recording (named only)",
    extensions: ["bin"],
    code: "tool_memray",
    // memray's record header begins with its name
    sniff: (_head, text) => text.startsWith("memray"),
  },
  {
    id: "nsys-report",
    title: "Nsight Systems recording (named only)",
    extensions: ["nsys-rep", "qdrep"],
    code: "tool_nsys_report",
    sniff: (head, _text, name) => /\.(?:nsys-rep|qdrep)$/i.test(name) && head.some((byte) => byte === 0),
  },
  {
    id: "nsys-json",
    title: "Nsight Systems events as JSON (named only)",
    extensions: ["json"],
    code: "tool_nsys_json",
    // "JSON and Text Format Description" of the exporter: one message in each line
    sniff: (_head, text) => text.startsWith("{") && /"(?:CudaEvent|TraceProcessEvent|NvtxEvent)"\s*:\s*\{/.test(text),
  },
];

export const KNOWN_TOOLS: readonly ForeignFormat[] = TOOLS.map(({ id, title, extensions, code, sniff }) => ({
  id,
  title,
  extensions,
  sniff: (head, text, name) => (sniff(head, text, name) ? 0.9 : 0),
  read: () => {
    throw new DiagnosticError(diagnostic(code));
  },
}));
