/** The estimate's card for several GPUs: how a training is cut, what lies on which rank, and what one rank of each stage needs. */

import { boundParts } from "../../../../src/estimate/plan/bounds.ts";
import { layersOfChunks } from "../../../../src/estimate/layout/rank-program.ts";
import { layoutVerdict, type TrainingJob } from "../../../../src/estimate/layout/index.ts";
import { linksOf } from "../../../../src/gpus/links.ts";
import type { GpuRow } from "../../../../src/gpus/catalogue.ts";
import { model, simulated } from "../page-state.ts";
import { colourOf } from "../verdict.tsx";
import { gib, said } from "../words.ts";
import { choice, isRunning, job, obstacle, ran, runRanks, sizes, type LayoutChoice } from "./layout-state.ts";
import { drawnNodes, placeOf } from "./ranks.ts";
import { layoutWords as t } from "./words.ts";
import type { LayoutsCode } from "./words-en.ts";
import "./layouts.css";

const MOST_NODES = 12;
const POWERS = Array.from({ length: 15 }, (_, i) => 2 ** i);
const RECOMPUTE = ["none", "selective", "full"] as const;
const PARTS = ["weights", "gradients", "optimizer", "activations"] as const;

type CountName = Exclude<keyof LayoutChoice, "recompute">;

/** Powers of two that the model and the number of GPUs allow. */
function stopsOf(name: CountName): number[] {
  const { gpus } = choice.value;
  const most: Record<CountName, number> = {
    gpus: 16384,
    tp: Math.min(gpus, 16),
    pp: Math.min(gpus, sizes.value?.layers ?? 1),
    cp: Math.min(gpus, 16),
    ep: Math.min(gpus, sizes.value?.experts?.experts ?? 1),
  };
  return POWERS.filter((value) => value <= most[name]);
}

function Slider({ name }: { readonly name: CountName }) {
  const stops = stopsOf(name);
  const value = choice.value[name];
  const at = Math.max(
    0,
    stops.findLastIndex((stop) => stop <= value),
  );
  if (stops.length < 2) return null;
  return (
    <label class="lay-slider">
      <span>{t(name)}</span>
      <input
        type="range"
        min={0}
        max={stops.length - 1}
        value={at}
        aria-valuetext={String(value)}
        onInput={(event) => {
          choice.value = { ...choice.value, [name]: stops[Number(event.currentTarget.value)]! };
        }}
      />
      <output class="num">{value}</output>
    </label>
  );
}

export function LayoutCard() {
  const [gpu] = simulated.value;
  const now = job.value;
  if (now === null || gpu === undefined) return null;
  const names: readonly CountName[] = ["gpus", "tp", "pp", "cp", "ep"];
  const problem = obstacle.value;
  return (
    <section class="card lay" aria-labelledby="lay-title">
      <h2 id="lay-title">{t("title")}</h2>
      <p class="soft">{t("intro")}</p>
      <div class="lay-sliders">
        {names.map((name) => (
          <Slider key={name} name={name} />
        ))}
        <label class="lay-slider">
          <span>{t("recompute")}</span>
          <select
            value={choice.value.recompute}
            onChange={(event) => {
              const typed = RECOMPUTE.find((one) => one === event.currentTarget.value);
              if (typed !== undefined) choice.value = { ...choice.value, recompute: typed };
            }}
          >
            {RECOMPUTE.map((one) => (
              <option key={one} value={one}>
                {t(one)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {problem !== null ? (
        <p class="est-problem" role="alert">
          {said(problem.code, problem.args)}
        </p>
      ) : (
        <>
          <Drawing job={now} gpu={gpu} />
          <Stages job={now} gpu={gpu} />
          <button type="button" disabled={isRunning.value} onClick={() => void runRanks()}>
            {isRunning.value ? t("running") : t("simulate")}
          </button>
          <Ran job={now} />
          <Command job={now} gpu={gpu} />
        </>
      )}
    </section>
  );
}

function Drawing({ job: drawn, gpu }: { readonly job: TrainingJob; readonly gpu: GpuRow }) {
  const { gpus, pp } = drawn.layout;
  const perNode = linksOf(gpu).node;
  const nodes = drawnNodes(drawn, perNode, MOST_NODES);
  const left = Math.ceil(gpus / perNode) - nodes.length;
  return (
    <>
      <h3>{t("drawn")}</h3>
      <div class="lay-nodes">
        {nodes.map((node) => (
          <figure key={node} class="lay-node">
            <figcaption>{t("node", { node })}</figcaption>
            <div class="lay-gpus">
              {Array.from({ length: Math.min(perNode, gpus - node * perNode) }, (_, i) => {
                const place = placeOf(drawn, node * perNode + i);
                const text = t("rank", { ...place });
                return (
                  <span
                    key={i}
                    class="lay-gpu"
                    style={{ "--stage": String(place.stage / Math.max(1, pp)) }}
                    title={text}
                  >
                    <span aria-hidden="true">
                      p{place.stage}
                      {drawn.layout.tp > 1 ? ` t${place.tensor}` : ""}
                    </span>
                    <span class="visually-hidden">{text}</span>
                  </span>
                );
              })}
            </div>
          </figure>
        ))}
      </div>
      {left > 0 && <p class="soft">{t("more_nodes", { count: left })}</p>}
    </>
  );
}

/** The stages that are shown: of many the ends and the second. */
function shownStages(pp: number): number[] {
  return pp <= 6 ? Array.from({ length: pp }, (_, i) => i) : [0, 1, pp - 1];
}

function Stages({ job: drawn, gpu }: { readonly job: TrainingJob; readonly gpu: GpuRow }) {
  const { pp } = drawn.layout;
  const chunks = layersOfChunks(drawn);
  return (
    <ul class="lay-stages">
      {shownStages(pp).map((stage) => {
        const parts = boundParts(drawn, stage);
        const total = PARTS.reduce((sum, part) => sum + parts[part], 0);
        const layers = chunks[stage] ?? [];
        const holds = [
          ...(stage === 0 ? [t("embedding")] : []),
          ...(layers.length > 0 ? [t("layers", { from: layers[0]!, to: layers.at(-1)! })] : []),
          ...(stage === pp - 1 ? [t("head")] : []),
        ];
        const scale = Math.max(gpu.totalBytes, total);
        return (
          <li key={stage}>
            <div>
              <strong>{t("stage", { stage })}</strong> <span class="soft">{holds.join(" · ")}</span>
            </div>
            <div
              class="lay-bar"
              role="img"
              aria-label={PARTS.map((part) => `${t(part)}: ${gib(parts[part])}`).join(", ")}
            >
              {PARTS.map((part) => (
                <span
                  key={part}
                  class="lay-part"
                  style={{ width: `${(100 * parts[part]) / scale}%`, backgroundColor: colourOf(part) }}
                  title={`${t(part)}: ${gib(parts[part])}`}
                />
              ))}
              <span class="lay-limit" style={{ left: `${(100 * gpu.totalBytes) / scale}%` }} />
            </div>
            <div class="soft">
              {t("at_least", { bytes: gib(total), capacity: gib(gpu.totalBytes) })}
              {total > gpu.totalBytes ? ` · ${t("over", { gpu: gpu.name })}` : ""}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Ran({ job: drawn }: { readonly job: TrainingJob }) {
  const before = ran.value;
  if (before === null || JSON.stringify(before.job) !== JSON.stringify(drawn)) return null;
  const verdict = layoutVerdict(before.made);
  const isOpen = verdict === "shorter" || verdict === "pictures" || verdict === "uneven";
  const word: LayoutsCode = isOpen ? "tight" : verdict;
  return (
    <div class="lay-ran" role="status">
      {before.made.ranks.map(({ stage, chain }) => (
        <p key={stage} class="num">
          {t("stage", { stage })}: {gib(chain.allocated.bytes)} → {gib(chain.process.bytes)}
        </p>
      ))}
      <p>
        {t("simulated", {
          allocated: gib(before.made.worst.chain.allocated.bytes),
          process: gib(before.made.worst.chain.process.bytes),
          verdict: t(word),
        })}
      </p>
    </div>
  );
}

function Command({ job: drawn, gpu }: { readonly job: TrainingJob; readonly gpu: GpuRow }) {
  const { gpus, tp, pp, cp, ep } = drawn.layout;
  const layout = Object.entries({ tp, pp, cp, ep }).flatMap(([name, value]) => (value > 1 ? [`${name}=${value}`] : []));
  const words = [
    `vramscope estimate ${model.value?.name ?? ""} --gpus ${gpus}`,
    ...(layout.length > 0 ? [`--layout ${layout.join(",")}`] : []),
    `--gpu ${gpu.id} --batch ${drawn.microBatch} --seq ${drawn.seq}`,
    ...(drawn.recompute === "none" ? [] : [`--recompute ${drawn.recompute}`]),
  ];
  return (
    <p class="soft">
      {t("command")}: <code>{words.join(" ")}</code>
    </p>
  );
}
