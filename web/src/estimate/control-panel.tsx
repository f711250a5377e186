/** The options of what was chosen, one control each: sizes with sliders, choices, texts. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { SizeName } from "../../../src/estimate/index.ts";
import { catalogueNames, sizeOf } from "../../../src/estimate/index.ts";
import { message } from "../../../src/i18n/index.ts";
import { locale } from "../state/settings.ts";
import { controlsOf, countOf, nearestStop, type Control } from "./controls.ts";
import { modeOf, specOf, withOption } from "./inputs.ts";
import { askedBy, askedShown, draft, inputs, longest, setInputs, shownInputs, type AskedNow } from "./page-state.ts";
import { choiceText, estimateWords as t, labelOf, said } from "./words.ts";

export function ControlPanel() {
  const controls = controlsOf(inputs.value, longest.value);
  const mode = modeOf(inputs.value);
  const rare = controls.filter(({ first }) => !first);
  return (
    <section class="est-group" aria-labelledby="est-settings">
      <h2 id="est-settings">{t("settings_title")}</h2>
      {controls.filter(({ first, kind }) => first && kind === "size").map(shown)}
      <div class="est-pairs">{controls.filter(({ first, kind }) => first && kind !== "size").map(shown)}</div>
      {rare.length > 0 && (
        <details key={mode} open={rare.some(({ name }) => inputs.value.chosen[name] !== undefined)}>
          <summary>{t("settings_more")}</summary>
          <div class="est-pairs">{rare.map(shown)}</div>
        </details>
      )}
    </section>
  );
}

function shown(control: Control) {
  const { kind, name } = control;
  if (kind === "size") return <Size key={name} control={control} />;
  if (kind === "flag") return <Flag key={name} control={control} />;
  return kind === "choice" ? <Choice key={name} control={control} /> : <Typed key={name} control={control} />;
}

const hintOf = (name: string): string => {
  const { summary, summaryArgs } = specOf(name);
  return message(locale.value, summary, summaryArgs);
};

/** What would be without the choice is no choice, so that links and command lines stay short. */
function commit(control: Control, value: string): void {
  const plain = withOption(inputs.value, control.name, null);
  const otherwise = String(recipeSize(control.name, askedBy(plain)) ?? control.defaultValue ?? "");
  setInputs(value === "" || value === otherwise ? plain : withOption(inputs.value, control.name, value));
}

/** What the recipe has: the default may be less than the option's, where the model is short. */
function recipeSize(name: string, now: AskedNow): number | null {
  if (now === null || "problem" in now) return null;
  const isSize = ["batch", "seq", "prompt", "new", "lora-rank", "accumulate"].includes(name);
  return isSize ? sizeOf(now.asked.recipe, name as SizeName) : null;
}

function Size({ control }: { readonly control: Control }) {
  const { name, stops, defaultValue } = control;
  const id = useId();
  const wrong = useSignal<string | null>(null);
  const typed = shownInputs.value.chosen[name];
  const now =
    (typed === undefined ? null : countOf(typed)) ??
    recipeSize(name, askedShown.value) ??
    (defaultValue === null ? null : countOf(defaultValue));
  const at = now === null ? 0 : nearestStop(stops, now);
  const textOf = (index: number): string => String(stops[index] ?? "");
  return (
    <div class="est-size" title={hintOf(name)}>
      <label for={id}>{labelOf(name)}</label>
      <input
        id={id}
        class="est-number num"
        type="text"
        inputMode="numeric"
        autocomplete="off"
        placeholder={t("by_default")}
        value={now ?? ""}
        aria-invalid={wrong.value !== null}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
        }}
        onChange={(event) => {
          const value = event.currentTarget.value.trim();
          const count = countOf(value);
          wrong.value = value === "" || count !== null ? null : said("bad_count", { name: labelOf(name), value });
          if (wrong.value === null) commit(control, count === null ? "" : String(count));
        }}
      />
      {stops.length > 1 && (
        <input
          type="range"
          min={0}
          max={stops.length - 1}
          step={1}
          value={at}
          aria-label={labelOf(name)}
          aria-valuetext={now === null ? t("by_default") : String(now)}
          onInput={(event) => {
            wrong.value = null;
            draft.value = withOption(inputs.value, name, textOf(Number(event.currentTarget.value)));
          }}
          onChange={(event) => commit(control, textOf(Number(event.currentTarget.value)))}
        />
      )}
      {wrong.value !== null && (
        <p class="est-problem" role="alert">
          {wrong.value}
        </p>
      )}
    </div>
  );
}

function Choice({ control }: { readonly control: Control }) {
  const { name, choices, defaultValue } = control;
  const value = inputs.value.chosen[name] ?? defaultValue ?? "";
  const known = choices.includes(value) || value === "" ? choices : [value, ...choices];
  return (
    <label class="field" title={hintOf(name)}>
      <span>{labelOf(name)}</span>
      <select value={value} onChange={(event) => commit(control, event.currentTarget.value)}>
        {defaultValue === null && <option value="">{t("by_default")}</option>}
        {known.map((id) => (
          <option key={id} value={id}>
            {choiceText(name, id)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Flag({ control: { name } }: { readonly control: Control }) {
  return (
    <label class="est-check" title={hintOf(name)}>
      <input
        type="checkbox"
        checked={inputs.value.chosen[name] !== undefined}
        onChange={(event) => setInputs(withOption(inputs.value, name, event.currentTarget.checked ? "" : null))}
      />
      <span>{labelOf(name)}</span>
    </label>
  );
}

function Typed({ control }: { readonly control: Control }) {
  const { name, defaultValue } = control;
  const id = useId();
  return (
    <label class="field" title={hintOf(name)}>
      <span>{labelOf(name)}</span>
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        list={name === "teacher" ? id : undefined}
        placeholder={defaultValue ?? t("by_default")}
        value={inputs.value.chosen[name] ?? ""}
        onChange={(event) => commit(control, event.currentTarget.value.trim())}
      />
      {name === "teacher" && (
        <datalist id={id}>
          {catalogueNames().map((model) => (
            <option key={model} value={model} />
          ))}
        </datalist>
      )}
    </label>
  );
}
