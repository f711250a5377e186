/** Training by preferences and rewards: the verdict, the phases of a step side by side, and what would help. */

import { useEffect } from "preact/hooks";
import { alignmentFits, alignmentNeeds, type AlignmentEstimate } from "../../../src/estimate/alignment/index.ts";
import type { SearchedChanges, Tried } from "../../../src/estimate/index.ts";
import { message } from "../../../src/i18n/index.ts";
import { amountText } from "../../../src/report/estimate-text.ts";
import { Beside } from "../explain/beside.tsx";
import { locale } from "../state/settings.ts";
import { alignment, searchHelp, watchAlignment } from "./alignment-state.ts";
import { scaleOfBytes } from "./bars.ts";
import { CapacityBar, BarLegend } from "./capacity-bar.tsx";
import { ChangeFigures, changesName, triedChanges } from "./change-line.tsx";
import { CommandView } from "./command-view.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Figure } from "./figure.tsx";
import { inputsOfRecipe } from "./inputs.ts";
import { inputs, setInputs, simulated } from "./page-state.ts";
import { commandLine } from "./program-card.tsx";
import { TriedCard } from "./tried-card.tsx";
import { colourOf, pieceName, Sign, verdictClass, verdictText } from "./verdict.tsx";
import { estimateWords as t, gib, said } from "./words.ts";

export function AlignmentView() {
  useEffect(watchAlignment, []);
  const now = alignment.value;
  if (now.state !== "done") {
    return (
      <section class="card est-verdict" aria-busy={now.state === "running"}>
        {now.state === "problem" ? (
          <p class="est-problem" role="alert">
            {said(now.problem.code, now.problem.args)}
          </p>
        ) : (
          <p role="status">{simulated.value.length === 0 ? t("no_card") : t("align_running", { count: now.runs })}</p>
        )}
      </section>
    );
  }
  const { made, changes, searching } = now;
  return (
    <>
      <AlignmentVerdict made={made} />
      <div class="est-grid">
        <div>
          <Phases made={made} />
        </div>
        <div>
          <Help changes={changes} searching={searching} />
          <section class="card" aria-labelledby="est-program">
            <h2 id="est-program">{t("program_title")}</h2>
            <p class="soft">{t("program_text")}</p>
            <CopyButton label={t("program_copy")} text={() => made.program} />
            <h3>{t("command_title")}</h3>
            <CommandView line={commandLine(made.gpu.id)} />
            <details>
              <summary>{t("program_show", { count: made.program.trimEnd().split("\n").length })}</summary>
              <pre class="est-program">{made.program}</pre>
            </details>
          </section>
        </div>
      </div>
    </>
  );
}

const phaseName = (id: AlignmentEstimate["worst"]["id"]): string => message(locale.value, `alignment_phase_${id}`);

function AlignmentVerdict({ made }: { readonly made: AlignmentEstimate }) {
  const { gpu, fit, worst, recipe } = made;
  const why = message(locale.value, "alignment_worst", {
    phase: phaseName(worst.id),
    used: gib(worst.process.bytes),
    allocated: gib(worst.allocatedBytes),
  });
  const numbers = [
    ["number_allocated", worst.allocatedBytes, "number_allocated_is"],
    ["number_reserved", worst.reservedBytes, "number_reserved_is"],
    ["number_process", worst.process.bytes, "number_process_is"],
  ] as const;
  const pieces = [
    { id: "allocated", name: t("number_allocated"), bytes: worst.allocatedBytes, colour: "var(--category-activation)" },
    {
      id: "cached",
      name: pieceName("cached"),
      bytes: worst.reservedBytes - worst.allocatedBytes,
      colour: colourOf("cached"),
    },
    {
      id: "context",
      name: pieceName("context"),
      bytes: worst.process.bytes - worst.reservedBytes,
      colour: colourOf("context"),
    },
  ];
  return (
    <section class="card est-verdict" aria-labelledby="est-aligned">
      <p class="est-answer" role="status" id="est-aligned">
        <Sign fit={fit} />
        <strong class={verdictClass(fit)}>{t("verdict_on", { verdict: verdictText(fit), gpu: gpu.name })}</strong>
        <span class="est-headroom">{amountText(fit, gpu.totalBytes, worst.process.bytes, locale.value)}</span>
      </p>
      <Beside lines={[{ id: "why", label: message(locale.value, "card_why"), text: why }]} />
      <p class="soft">{message(locale.value, `alignment_reference_${recipe.reference}`)}</p>
      <dl class="est-three">
        {numbers.map(([name, bytes, is]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>
              <Figure bytes={bytes} />
            </dd>
            <dd class="soft">{t(is)}</dd>
          </div>
        ))}
        <div>
          <dt>{t("number_capacity")}</dt>
          <dd>
            <Figure bytes={gpu.totalBytes} />
          </dd>
          <dd class="soft">{gpu.name}</dd>
        </div>
      </dl>
      <CapacityBar
        label={t("bar_label", {
          gpu: gpu.name,
          needed: gib(worst.process.bytes),
          capacity: gib(gpu.totalBytes),
          verdict: verdictText(fit),
        })}
        gpu={gpu.name}
        capacityBytes={gpu.totalBytes}
        scaleBytes={scaleOfBytes([gpu.totalBytes, worst.process.bytes])}
        pieces={pieces}
        isOver={fit === "does_not_fit"}
      />
      <BarLegend pieces={pieces} />
    </section>
  );
}

const COLUMNS = ["allocated", "reserved", "process", "left"] as const;

function Phases({ made: { phases, worst, gpu } }: { readonly made: AlignmentEstimate }) {
  return (
    <section class="card" aria-labelledby="est-phases">
      <h2 id="est-phases">{t("align_phases")}</h2>
      <div class="scroll" tabIndex={0} role="group" aria-labelledby="est-phases">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{message(locale.value, "alignment_column_phase")}</th>
              {COLUMNS.map((column) => (
                <th key={column} scope="col" class="n">
                  {message(locale.value, `alignment_column_${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {phases.map((phase) => (
              <tr key={phase.id} class={phase === worst ? "est-chosen" : ""}>
                <th scope="row">{phaseName(phase.id)}</th>
                <td class="n">{gib(phase.allocatedBytes)}</td>
                <td class="n">{gib(phase.reservedBytes)}</td>
                <td class="n">{gib(phase.process.bytes)}</td>
                <td class="n">{gib(gpu.totalBytes - phase.process.bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft">{message(locale.value, "alignment_rules")}</p>
    </section>
  );
}

interface HelpProps {
  readonly changes: SearchedChanges<AlignmentEstimate> | null;
  readonly searching: number | null;
}

function Help({ changes, searching }: HelpProps) {
  const all = changes === null ? null : triedChanges(changes);
  return (
    <TriedCard
      lines={all?.map((tried) => <Change key={tried.ids.join()} tried={tried} />) ?? null}
      isAnyEnough={all?.some(({ estimate }) => alignmentFits(estimate)) ?? false}
      isOld={false}
      searching={searching}
      ask={searchHelp}
    />
  );
}

function Change({ tried: { ids, estimate, savedBytes } }: { readonly tried: Tried<AlignmentEstimate> }) {
  return (
    <li>
      <strong>{changesName(ids)}</strong>
      <ChangeFigures
        ids={ids}
        savedBytes={savedBytes}
        neededBytes={alignmentNeeds(estimate)}
        fit={estimate.fit}
        apply={() => setInputs(inputsOfRecipe(inputs.value, estimate.train))}
      />
    </li>
  );
}
