/** The look of the HTML report: light and dark by the reader's setting, from a phone's width up to a desk's. */

import type { Category } from "../trace/model.ts";

/** Distinguishable with colour blindness, and in the order in which they are stacked. */
export const CATEGORY_COLOURS: Readonly<Record<Category, string>> = {
  parameter: "#4477aa",
  gradient: "#ee8866",
  optimizer_state: "#aa4499",
  gathered_parameter: "#99bbdd",
  communication: "#cc6677",
  activation: "#44aa99",
  temporary: "#ddaa33",
  kv_cache: "#66aaee",
  buffer: "#997744",
  input: "#88aa44",
  workspace: "#8877bb",
  unknown: "#999999",
};

export const STYLE = `
:root { color-scheme: light dark; --paper: #fbfbfc; --card: #ffffff; --ink: #1b1f27; --soft: #5d6675; --line: #e1e4ea;
  --good: #1a7f4b; --bad: #c23030; --warn: #9a6700; --mark: #c23030; --zebra: #f5f6f8; }
@media (prefers-color-scheme: dark) { :root { --paper: #101318; --card: #171b22; --ink: #e7eaf0; --soft: #9aa4b4;
  --line: #2a303a; --good: #4cc38a; --bad: #ff7b72; --warn: #e3b341; --mark: #ff7b72; --zebra: #1c2129; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI",
  Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px 48px; }
h1 { font-size: 19px; line-height: 1.35; margin: 0 0 12px; overflow-wrap: anywhere; }
h2 { font-size: 15px; margin: 32px 0 10px; }
p { margin: 6px 0; }
.soft, caption { color: var(--soft); font-size: 13px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px; }
.verdict { border-left: 5px solid var(--soft); }
.verdict b { margin-right: 8px; }
.fits { border-left-color: var(--good); } .fits b { color: var(--good); }
.tight { border-left-color: var(--warn); } .tight b { color: var(--warn); }
.does_not_fit, .over { border-left-color: var(--bad); } .does_not_fit b, .over b { color: var(--bad); }
.numbers { display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; margin-top: 12px; }
.numbers .value { font-size: 24px; font-weight: 650; font-variant-numeric: tabular-nums; white-space: nowrap; }
.numbers .name { font-size: 13px; color: var(--soft); }
figure { margin: 0; } figure svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font: 13px system-ui, sans-serif; paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round; } svg .grid { stroke: var(--line); }
svg .reserved { fill: none; stroke: var(--soft); stroke-dasharray: 5 4; stroke-width: 1.5; }
svg .peak { stroke: var(--mark); stroke-width: 1.5; } svg .peak-name { fill: var(--mark); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 10px 0 0; padding: 0; list-style: none; font-size: 13px; }
.swatch { display: inline-block; width: 11px; height: 11px; border-radius: 3px; margin-right: 6px; }
.dash { display: inline-block; width: 16px; border-top: 2px dashed var(--soft); margin: 0 6px 4px 0; }
.bar { display: flex; height: 22px; border-radius: 6px; overflow: hidden; margin-bottom: 12px; }
.bar i { display: block; min-width: 1px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--soft); white-space: nowrap; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.file td { color: var(--soft); font-weight: 600; padding-top: 12px; }
code { font: 12.5px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
td code { white-space: pre; } ul.plain { margin: 0; padding-left: 18px; } ul.plain li { margin: 5px 0; overflow-wrap: anywhere; }
tr.peak-row td { background: var(--zebra); }
footer { margin-top: 36px; color: var(--soft); font-size: 12px; }
@media (max-width: 620px) { main { padding: 16px 12px 40px; } .numbers { grid-template-columns: 1fr; gap: 8px; }
  .numbers > div { display: grid; grid-template-columns: auto auto; align-items: baseline; column-gap: 10px; justify-content: space-between; }
  svg text { font-size: 30px; stroke-width: 7px; }
  .numbers .legend-text { grid-column: 1 / 3; } .numbers .value { font-size: 20px; } th, td { padding-right: 8px; } }
@media print { body { background: #fff; } .card { break-inside: avoid; } }`;
