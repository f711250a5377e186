/** What the page and the reader's thread say to each other. */

import type { Diagnostic } from "../../../src/base/diagnostic.ts";
import type { ReportFacts } from "../../../src/report/facts.ts";
import type { Assumption } from "../../../src/trace/model.ts";
import type { Readings } from "../../../src/trace/readings.ts";
import type { ChartBase } from "../chart/chart-data.ts";
import type { CrossingTrace } from "./crossing.ts";

export interface ToReader {
  readonly file: Blob;
  readonly name: string;
  /** Default: the first device that did anything. */
  readonly device: number | null;
  /** Id of a format, or null: content decides. */
  readonly format: string | null;
}

export interface TraceParts {
  readonly crossing: CrossingTrace;
  readonly facts: ReportFacts;
  readonly base: ChartBase;
}

export type FromReader =
  | { readonly type: "progress"; readonly stage: "reading" | "unpacking" | "explaining"; readonly bytes: number }
  | {
      readonly type: "opened";
      readonly format: string;
      /** What people call the format. */
      readonly title: string;
      readonly trace: TraceParts | null;
      readonly readings: Readings | null;
      readonly notes: readonly Assumption[];
    }
  | { readonly type: "refused"; readonly diagnostic: Diagnostic }
  | { readonly type: "failed"; readonly reason: string };
