/** What an export is: one row gives the name on the command line, the file's usual ending, its wording and its content. */

import type { MessageCode, Locale } from "../i18n/index.ts";
import type { AutogradGraph } from "../autograd/graph-view.ts";
import type { ReportFacts, SourceOf } from "../report/index.ts";
import type { Trace } from "../trace/model.ts";

/** What a format may use beyond the trace. */
export interface ExportOptions {
  readonly locale?: Locale;
  /** The environment of the program, for the allocator's settings; unknown when a saved trace is exported. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Source lines, for reports; left out where undefined is returned. */
  readonly sourceOf?: SourceOf;
  /** What a report says; computed from the trace when not given. */
  readonly facts?: ReportFacts;
  /** The autograd graph, where one was recorded. */
  readonly graph?: AutogradGraph | null;
}

export type ExportChunk = Uint8Array | string;

export interface ExportFormat {
  /** Its name on the command line. */
  readonly id: string;
  /** Another name, under which the file's ending decides. */
  readonly alsoFor?: string;
  /** Usual ending of the file, with its dot. */
  readonly extension: string;
  /** What it is for, in a few words. */
  readonly label: MessageCode;
  /** It shows the autograd graph, which a run records only when asked. */
  readonly needsGraph?: true;
  /** The file's content, piece by piece: text (UTF-8) or bytes. */
  write(trace: Trace, options?: ExportOptions): Iterable<ExportChunk>;
}
