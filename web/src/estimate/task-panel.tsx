/** What is done with the model: the rows of the methods and of the engines, as one choice. */

import { ENGINES } from "../../../src/serving/engines.ts";
import { METHODS } from "../../../src/estimate/index.ts";
import { inputs, setInputs } from "./page-state.ts";
import { ALIGNMENT_TASKS } from "../../../src/estimate/alignment/index.ts";
import { alignmentOf, methodOf, modeOf, withOption, type Inputs } from "./inputs.ts";
import { choiceText, estimateWords as t } from "./words.ts";

interface Task {
  readonly id: string;
  readonly text: string;
  readonly isChosen: (entered: Inputs) => boolean;
  readonly choose: (entered: Inputs) => Inputs;
}

function without(entered: Inputs, ...names: readonly string[]): Inputs {
  return names.reduce((made, name) => withOption(made, name, null), entered);
}

const training = (): readonly Task[] =>
  METHODS.map(({ id }) => ({
    id: `train-${id}`,
    text: choiceText("method", id),
    isChosen: (entered) => modeOf(entered) === "train" && methodOf(entered).id === id,
    choose: (entered) =>
      withOption(withOption(without(entered, "engine"), "task", "train"), "method", id === METHODS[0]!.id ? null : id),
  }));

const preferences = (): readonly Task[] =>
  ALIGNMENT_TASKS.map((task) => ({
    id: `align-${task}`,
    text: choiceText("task", task),
    isChosen: (entered) => alignmentOf(entered) === task,
    choose: (entered) => withOption(without(entered, "engine"), "task", task),
  }));

const inference = (): readonly Task[] => [
  {
    id: "infer",
    text: "transformers",
    isChosen: (entered) => modeOf(entered) === "infer",
    choose: (entered) => without(entered, "engine", "task"),
  },
  ...ENGINES.map(({ id, name }) => ({
    id: `serve-${id}`,
    text: name,
    isChosen: (entered: Inputs) => entered.chosen["engine"] === id,
    // formats and cache types have other names with other engines
    choose: (entered: Inputs) => withOption(without(entered, "task", "quant", "kv-cache"), "engine", id),
  })),
];

export function TaskPanel() {
  return (
    // what a pipeline does stands in its name
    modeOf(inputs.value) === "pipeline" ? null : (
      <section class="est-group" aria-labelledby="est-task">
        <h2 id="est-task">{t("task_title")}</h2>
        <Choices legend={t("task_infer")} tasks={inference()} />
        <Choices legend={t("task_train")} tasks={training()} />
        <Choices legend={t("task_align")} tasks={preferences()} />
      </section>
    )
  );
}

function Choices({ legend, tasks }: { readonly legend: string; readonly tasks: readonly Task[] }) {
  return (
    <fieldset class="est-tasks">
      <legend>{legend}</legend>
      {tasks.map((task) => (
        <label key={task.id} class="est-chip">
          <input
            type="radio"
            name="est-task"
            value={task.id}
            checked={task.isChosen(inputs.value)}
            onChange={() => setInputs(task.choose(inputs.value))}
          />
          <span>{task.text}</span>
        </label>
      ))}
    </fieldset>
  );
}
