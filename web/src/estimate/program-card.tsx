/** The program behind the figures, the command that repeats them, and the answer to take along. */

import { CONFIG_FILE, TEACHER_FILE, type Estimate } from "../../../src/estimate/index.ts";
import { estimateDocument } from "../../../src/report/estimate-json.ts";
import { Share } from "../shell/share.tsx";
import { handedProgram } from "../state/hand-over.ts";
import { navigate } from "../state/route.ts";
import { locale } from "../state/settings.ts";
import { answerMarkdown } from "./answer-markdown.ts";
import { commandArguments, shellLine } from "./command-line.ts";
import { CommandView } from "./command-view.tsx";
import { CopyButton } from "./copy-button.tsx";
import { modeOf } from "./inputs.ts";
import { publishedModel } from "./page-model.ts";
import { inputs, shareQuery } from "./page-state.ts";
import { answers } from "./answers.ts";
import { answer, shown, type Answer } from "./simulation.ts";
import { estimateWords as t } from "./words.ts";

/** Where the command expects what was dropped or pasted. */
export const pathOfGiven = (): string | null => (inputs.value.configText === null ? null : inputs.value.model);

export const commandLine = (gpu: string): string => shellLine(commandArguments(inputs.value, gpu, pathOfGiven()));

function openInPlayground({ model, asked }: Answer, { program, gpu }: Estimate): void {
  const files: Record<string, string> = { [CONFIG_FILE]: model.text! };
  const teacher = asked.teacher === null ? null : publishedModel(asked.teacher);
  if (teacher !== null && "text" in teacher) files[TEACHER_FILE] = teacher.text!;
  handedProgram.value = { name: "estimate.py", source: program, gpu: gpu.id, torch: asked.torch, files };
  navigate("playground");
}

function jsonText({ model, asked, estimates }: Answer): string {
  const { changes, largest, sweep } = answers.value;
  const document = estimateDocument({
    model: model.name,
    torch: asked.torch,
    estimates,
    largest,
    changes,
    sweep,
    sheet: null,
  });
  return `${JSON.stringify({ ...document, program: estimates[0]!.program }, null, 2)}\n`;
}

/** The link of the page; where a configuration is too long for one, the program that was simulated. */
export function ShareEstimate() {
  const [gpu] = inputs.value.gpus;
  // of other tasks the answer is not the page's own
  const isSimulated = ["infer", "train"].includes(modeOf(inputs.value));
  const program = isSimulated ? answer.value?.estimates[0]?.program : undefined;
  const files = program === undefined ? [] : [{ label: t("program_title"), name: "estimate.py", make: () => program }];
  return (
    <Share page="estimate" query={shareQuery} command={gpu === undefined ? null : commandLine(gpu)} files={files} />
  );
}

export function ProgramCard() {
  const before = answer.value;
  const first = before?.estimates[0];
  if (before === null || first === undefined) return null;
  const command = commandLine(first.gpu.id);
  return (
    <section class={`card ${shown.value?.state === "simulated" ? "" : "est-old"}`} aria-labelledby="est-program">
      <h2 id="est-program">{t("program_title")}</h2>
      <p class="soft">{t("program_text")}</p>
      <div class="est-actions">
        <button type="button" class="primary" onClick={() => openInPlayground(before, first)}>
          {t("program_open")}
        </button>
        <CopyButton label={t("program_copy")} text={() => first.program} />
        <CopyButton label={t("copy_json")} text={() => jsonText(before)} />
        <CopyButton
          label={t("copy_markdown")}
          text={() => answerMarkdown(before.model.name, before.asked.torch, before.estimates, command, locale.value)}
        />
      </div>
      <h3>{t("command_title")}</h3>
      <CommandView line={command} />
      <details>
        <summary>{t("program_show", { count: first.program.trimEnd().split("\n").length })}</summary>
        <pre class="est-program">{first.program}</pre>
      </details>
    </section>
  );
}
