/** What each of several GPUs of one process needs: a table, and the same as data. */

import { message, type Locale } from "../i18n/index.ts";
import { reportFacts, type ReportFacts, type ReportInput } from "./facts.ts";
import { needsTable } from "./needs-table.ts";
import type { Painter } from "./paint.ts";

/** A run with the GPUs of its process, if it used several. */
export interface SeveralGpus extends ReportInput {
  readonly gpus: readonly (Pick<ReportInput, "trace" | "stats"> & { readonly gpu: number })[];
}

const factsOfGpus = (result: SeveralGpus): readonly { readonly gpu: number; readonly facts: ReportFacts }[] =>
  result.gpus.map(({ gpu, trace, stats }) => {
    const ownStatus = result.status === "out_of_memory" && trace.failures.length === 0 ? "ok" : result.status;
    return { gpu, facts: reportFacts({ ...result, status: ownStatus, trace, stats, holders: null, trials: [] }) };
  });

/** Nothing for a process with one GPU. */
export function gpusText(
  result: SeveralGpus,
  { locale, painter }: { readonly locale: Locale; readonly painter: Painter },
): string {
  if (result.gpus.length === 0) return "";
  const found = factsOfGpus(result);
  const fullest = found.find(({ gpu }) => result.gpus.find((each) => each.gpu === gpu)?.trace === result.trace)!;
  const verdict = message(locale, `verdict_${fullest.facts.verdict}`);
  const title = message(locale, "gpus_title", { gpus: found.length, verdict, gpu: fullest.gpu });
  const rows = found.map(({ gpu, facts }) => ({ name: String(gpu), facts }));
  return [painter.strong(title), ...needsTable("label_gpus", rows, locale), "", ""].join("\n");
}

/** The figures of each GPU; empty for a process with one. */
export const gpusJson = (result: SeveralGpus): readonly Record<string, unknown>[] =>
  factsOfGpus(result).map(({ gpu, facts }) => {
    const { verdict, capacityBytes, allocated, reserved, driver, outside, headroomBytes, peak, categories, phases } =
      facts;
    const figures = { allocated, reserved, driver, outside, headroomBytes, peak, categories, phases };
    return { gpu, verdict, capacityBytes, ...figures };
  });
