/** The estimate: a model, what is done with it, and the cards that it fits on. */

import { effect, untracked, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isDragging } from "../state/dropped-files.ts";
import { route } from "../state/route.ts";
import { patterns } from "../state/settings.ts";
import { ChainCard } from "./chain-card.tsx";
import { ControlPanel } from "./control-panel.tsx";
import { GpuPanel } from "./gpu-panel.tsx";
import { modeOf } from "./inputs.ts";
import {
  AlignmentView,
  CurveCard,
  HelpCard,
  LargestCard,
  LayoutCard,
  PipelineView,
  ServingView,
} from "./later-views.tsx";
import { ModelPanel } from "./model-panel.tsx";
import { asked, followAddress, giveConfig, giveFiles, inputs, loaded, model, simulated } from "./page-state.ts";
import { PeakCard } from "./peak-card.tsx";
import { ProgramCard, ShareEstimate } from "./program-card.tsx";
import { NotesCard, SheetCard } from "./sheet-card.tsx";
import { problem, shown, simulate } from "./simulation.ts";
import { TaskPanel } from "./task-panel.tsx";
import { Sign, Verdict, verdictText } from "./verdict.tsx";
import { WeightsCard } from "./weights-card.tsx";
import { WhereCard } from "./where-card.tsx";
import { estimateWords as t, gib, said } from "./words.ts";
import "./estimate.css";
import "./fields.css";
import "./answers.css";
import "./tables.css";

/** What the last simulation was started for: coming back to the page does not start it again. */
let startedFor = "";

function watchInputs(): () => void {
  return effect(() => {
    const key = JSON.stringify([model.value?.text, asked.value, simulated.value.map(({ id }) => id)]);
    if (key === startedFor) return;
    startedFor = key;
    untracked(simulate);
  });
}

/** What may be a model; anything else that is dropped goes to the viewer. */
const MODEL_FILE = /\.(json|safetensors|gguf)$/i;

/** Model files may be dropped anywhere on the page, and a configuration pasted; before the frame, which would show the viewer. */
function watchFiles(): () => void {
  const drop = (event: DragEvent): void => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0 || !files.every(({ name }) => MODEL_FILE.test(name))) return;
    event.preventDefault();
    void giveFiles(files);
  };
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (isTyping || !text.trimStart().startsWith("{")) return;
    event.preventDefault();
    void giveConfig("config.json", text);
  };
  addEventListener("drop", drop, { capture: true });
  addEventListener("paste", paste, { capture: true });
  return () => {
    removeEventListener("drop", drop, { capture: true });
    removeEventListener("paste", paste, { capture: true });
  };
}

export function EstimatePage() {
  useEffect(
    () =>
      effect(() => {
        const { page, query } = route.value;
        if (page === "estimate") untracked(() => void followAddress(query));
      }),
    [],
  );
  useEffect(watchInputs, []);
  useEffect(watchFiles, []);
  return (
    <div class={`est ${patterns.value ? "est-patterns" : ""}`}>
      <div class="est-form">
        <div class="est-head">
          <h1>{t("title")}</h1>
          <ShareEstimate />
        </div>
        <p class="soft">{t("intro")}</p>
        <ModelPanel />
        <TaskPanel />
        <GpuPanel />
        <ControlPanel />
      </div>
      <div class="est-results" id="est-results">
        <Results />
      </div>
      <Strip />
      {isDragging.value && <div class="est-drop">{t("drop_here")}</div>}
    </div>
  );
}

function Results() {
  const now = loaded.value;
  if ("problem" in now) {
    return (
      <section class="card">
        <p class="est-problem">{said(now.problem.code, now.problem.args)}</p>
        <p class="soft">{t("model_help")}</p>
      </section>
    );
  }
  const mode = modeOf(inputs.value);
  if (mode === "serve") return <ServingView />;
  if (mode === "pipeline") return <PipelineView />;
  const { refusal, config } = now.model;
  if (config === null || refusal !== null) {
    return (
      <>
        <section class="card">
          <p class="est-problem" role="alert">
            {refusal !== null ? said(refusal.code, refusal.args) : t("needs_config", { model: now.model.name })}
          </p>
        </section>
        <WeightsCard />
      </>
    );
  }
  if (mode === "align") return <AlignmentView />;
  return (
    <>
      <Verdict />
      {shown.value !== null && problem.value === null ? (
        <div class="est-grid">
          <div>
            <CurveCard />
            <ChainCard />
            <HelpCard />
            <LargestCard />
            <ProgramCard />
            <WeightsCard />
            <LayoutCard />
          </div>
          <div>
            <WhereCard />
            <PeakCard />
            <SheetCard />
            <NotesCard />
          </div>
        </div>
      ) : (
        <WeightsCard />
      )}
    </>
  );
}

/** The answer stays in sight while the form is filled in or details are read. */
function Strip() {
  const made = ["infer", "train"].includes(modeOf(inputs.value)) ? shown.value?.estimates[0] : undefined;
  const inSight = useSignal(true);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => (inSight.value = entry!.isIntersecting));
    const verdict = document.querySelector(".est-verdict");
    if (verdict !== null) observer.observe(verdict);
    return () => observer.disconnect();
  }, [made === undefined]);
  if (made === undefined || inSight.value) return null;
  return (
    <button type="button" class="est-strip" onClick={() => document.querySelector("#est-results")?.scrollIntoView()}>
      <Sign fit={made.fit} />
      <span>{verdictText(made.fit)}</span>
      <span class="num">
        {shown.value?.state === "about" ? "≈ " : ""}
        {gib(made.chain.process.bytes)} / {gib(made.chain.capacityBytes)}
      </span>
    </button>
  );
}
