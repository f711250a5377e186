/** A plan as text and as JSON: the layouts that fit, what each wastes and on what, and what was too large. */

import { gibibytes as gib } from "./gibibytes.ts";
import { fixed2 } from "../base/bytes.ts";
import type { Plan, Planned } from "../estimate/plan/index.ts";
import { message, type Locale } from "../i18n/index.ts";
import { columns } from "./columns.ts";
import { layoutNames } from "./layout-text.ts";
import { wrap } from "./width.ts";

const percent = (share: number): string => `${(100 * share).toFixed(share >= 0.1 ? 0 : 1)}%`;

const COLUMNS = [
  "layout",
  "micro",
  "recompute",
  "cost",
  "again",
  "bubble",
  "node",
  "network",
  "needs",
  "left",
] as const;

function cells({ job, cost, processBytes }: Planned, capacityBytes: number): string[] {
  return [
    layoutNames(job),
    String(job.microBatch),
    job.recompute,
    fixed2(cost.total),
    percent(cost.recomputed),
    percent(cost.bubble + cost.imbalance),
    percent(cost.nodeLinks),
    percent(cost.network),
    gib(processBytes),
    gib(capacityBytes - processBytes),
  ];
}

export function planText(plan: Plan, locale: Locale, width: number): string {
  const { request, gpu, links, fitting, missing, started, excluded, simulated } = plan;
  const header = COLUMNS.map((name) => message(locale, `plan_column_${name}`));
  const rows = (list: readonly Planned[]): string[] =>
    columns([header, ...list.map((planned) => cells(planned, gpu.totalBytes))]);
  const said = (code: Parameters<typeof message>[1], args: Record<string, string | number> = {}): string[] =>
    wrap(message(locale, code, args), width);
  const [first] = fitting;
  const cheaper = first === undefined ? [] : missing.filter(({ cost }) => cost.total <= first.cost.total).slice(0, 2);
  const lines = [
    message(locale, "plan_title", { model: request.name, gpus: request.gpus, gpu: gpu.name }),
    ...said("plan_asked", { seq: request.seq, global: request.globalBatch, started, excluded, simulated }),
    "",
    ...(first === undefined ? said("plan_none") : rows(fitting)),
    ...(first === undefined && missing[0] !== undefined
      ? [
          "",
          ...said("plan_nearest", { missing: gib(missing[0].processBytes - gpu.totalBytes) }),
          ...rows(missing.slice(0, 1)),
        ]
      : []),
    ...(cheaper.length === 0 ? [] : ["", ...said("plan_cheaper"), ...rows(cheaper)]),
    "",
    ...(first === undefined
      ? []
      : said("plan_why", {
          layout: layoutNames(first.job),
          node: gib(first.cost.nodeBytes),
          network: gib(first.cost.networkBytes),
          stage: first.stage,
        })),
    ...said("plan_cost", {
      flops: links.teraFlops,
      ranks: links.node,
      node: links.nodeGBs,
      network: links.networkGBs,
      source: links.source,
    }),
    ...said("plan_rules"),
  ];
  return `${lines.join("\n")}\n`;
}

const plannedJson = ({ job, cost, processBytes, stage, fits }: Planned, capacityBytes: number): object => ({
  layout: job.layout,
  microBatch: job.microBatch,
  recompute: job.recompute,
  zero: job.zero,
  cost,
  processBytes,
  worstStage: stage,
  leftBytes: capacityBytes - processBytes,
  fits,
});

export function planJson({ request, gpu, links, started, excluded, simulated, fitting, missing, first }: Plan): object {
  const { name, gpus, seq, globalBatch } = request;
  return {
    schemaVersion: 1,
    model: name,
    gpu: gpu.id,
    gpus,
    seq,
    globalBatch,
    links,
    layouts: { started, excluded, simulated },
    fitting: fitting.map((planned) => plannedJson(planned, gpu.totalBytes)),
    missing: missing.map((planned) => plannedJson(planned, gpu.totalBytes)),
    first:
      first === null
        ? null
        : first.ranks.map(({ stage, layers, statesBytes, chain, fit }) => ({ stage, layers, statesBytes, chain, fit })),
  };
}
