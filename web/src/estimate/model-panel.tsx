/** Which model: by name from the list, or by what is dropped or pasted. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { modelTypeOf } from "../../../src/estimate/index.ts";
import { Combobox, type ComboGroup } from "./combobox.tsx";
import { families, parameterText, searched } from "./model-list.ts";
import { giveConfig, giveFiles, inputs, linkIsWhole, loaded, longest, setInputs } from "./page-state.ts";
import { estimateWords as t, gib, grouped, said } from "./words.ts";

const groupsOf = (typed: string | null): readonly ComboGroup[] =>
  searched(families(), typed ?? "").map(({ name, deed, models }) => ({
    label: `${t(`deed_${deed}`)} · ${name}`,
    options: models.map((model) => ({ id: model.name, label: model.name, note: parameterText(model.parameters) })),
  }));

const choose = (name: string): void => setInputs({ ...inputs.value, model: name, configText: null });

export function ModelPanel() {
  const chooser = useRef<HTMLInputElement>(null);
  const pasted = useSignal("");
  return (
    <section class="est-group" aria-labelledby="est-model">
      <h2 id="est-model">{t("model_title")}</h2>
      <Combobox
        label={t("model_label")}
        shown={inputs.value.model}
        placeholder={t("model_placeholder")}
        groupsOf={groupsOf}
        onChoose={choose}
        onOther={choose}
        emptyText={t("model_none")}
      />
      <Facts />
      <details class="est-own">
        <summary>{t("own_title")}</summary>
        <p class="soft">{t("own_text")}</p>
        <p>
          <button type="button" onClick={() => chooser.current?.click()}>
            {t("own_choose")}
          </button>
          <input
            ref={chooser}
            type="file"
            multiple
            hidden
            aria-label={t("own_choose")}
            accept=".json,.safetensors,.gguf"
            onChange={(event) => {
              void giveFiles([...(event.currentTarget.files ?? [])]);
              event.currentTarget.value = "";
            }}
          />
        </p>
        <label class="field est-wide">
          <span>{t("own_paste")}</span>
          <textarea
            rows={4}
            spellcheck={false}
            placeholder={'{ "model_type": "llama", "hidden_size": 4096, ... }'}
            value={pasted.value}
            onInput={(event) => (pasted.value = event.currentTarget.value)}
          />
        </label>
        <p>
          <button
            type="button"
            disabled={pasted.value.trim() === ""}
            onClick={() => void giveConfig("config.json", pasted.value)}
          >
            {t("own_use")}
          </button>
        </p>
      </details>
    </section>
  );
}

function Facts() {
  const now = loaded.value;
  if ("problem" in now) {
    return (
      <p class="est-problem" role="alert">
        {said(now.problem.code, now.problem.args)}
      </p>
    );
  }
  const { model } = now;
  const facts = [
    model.parameters === null ? null : t("fact_parameters", { count: parameterText(model.parameters) }),
    model.parameters === null ? null : t("fact_half", { size: gib(2 * model.parameters) }),
    model.config === null ? null : modelTypeOf(model.config),
    longest.value === null ? null : t("fact_positions", { count: grouped(longest.value) }),
    model.files === null || model.files.weightBytes === null
      ? null
      : t("fact_files", { weightsBytes: model.files.weightBytes }),
  ].filter((fact) => fact !== null);
  return (
    <>
      <p class="soft est-facts">{facts.join(" · ")}</p>
      {model.unsure !== null && <p class="soft">{said("note_unsure", { model: model.name, ...model.unsure })}</p>}
      {!linkIsWhole.value && <p class="soft">{t("link_partial")}</p>}
    </>
  );
}
