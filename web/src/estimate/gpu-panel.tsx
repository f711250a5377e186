/** Which cards: the first is the one that details speak of. */

import { GIB } from "../../../src/base/bytes.ts";
import { CAPACITIES, findCapacity, type Capacity } from "../../../src/gpus/capacity.ts";
import { GPUS } from "../../../src/gpus/catalogue.ts";
import { Combobox, type ComboGroup } from "./combobox.tsx";
import { modeOf } from "./inputs.ts";
import { cards, inputs, isListed, setInputs } from "./page-state.ts";
import { estimateWords as t, gib } from "./words.ts";

const squeezed = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, " ");

function offered(): readonly Capacity[] {
  const isServing = modeOf(inputs.value) === "serve";
  return CAPACITIES.filter(
    (card) => !inputs.value.gpus.includes(card.id) && (isServing || GPUS.some((gpu) => gpu.id === card.id)),
  );
}

function groupsOf(typed: string | null): readonly ComboGroup[] {
  const words = squeezed(typed ?? "")
    .split(" ")
    .filter((word) => word !== "");
  const groups = new Map<string, Capacity[]>();
  for (const card of offered()) {
    const text = squeezed(`${card.vendor} ${card.name} ${card.architecture} ${card.id}`);
    if (!words.every((word) => text.includes(word))) continue;
    const key = card.vendor === "NVIDIA" ? card.architecture : card.vendor;
    groups.set(key, [...(groups.get(key) ?? []), card]);
  }
  return [...groups].map(([label, members]) => ({
    label,
    options: members.map((card) => ({ id: card.id, label: card.name, note: gib(card.totalBytes) })),
  }));
}

function add(id: string): void {
  const found = findCapacity(id);
  if (found.ok) setInputs({ ...inputs.value, gpus: [...inputs.value.gpus, found.value.id] });
}

export function GpuPanel() {
  const { gpus } = inputs.value;
  const isServing = modeOf(inputs.value) === "serve";
  return (
    <section class="est-group" aria-labelledby="est-gpus">
      <h2 id="est-gpus">{t("gpus_title")}</h2>
      <ul class="est-cards">
        {cards.value.map((card, index) => (
          <li key={card.id}>
            {index === 0 || cards.value.length === 1 ? (
              <span class="est-card-name">{card.name}</span>
            ) : (
              <button
                type="button"
                class="quiet est-card-name"
                title={t("gpu_first", { gpu: card.name })}
                onClick={() => setInputs({ ...inputs.value, gpus: [card.id, ...gpus.filter((id) => id !== card.id)] })}
              >
                {card.name}
              </button>
            )}
            <span class="soft num">{gib(card.totalBytes)}</span>
            {!isServing && !isListed(card.id) && <span class="soft">{t("gpu_only_engines")}</span>}
            {gpus.length > 1 && (
              <button
                type="button"
                class="quiet est-remove"
                aria-label={t("gpu_remove", { gpu: card.name })}
                onClick={() => setInputs({ ...inputs.value, gpus: gpus.filter((id) => id !== card.id) })}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      <OtherMemory />
      <Combobox
        label={t("gpu_add")}
        shown=""
        placeholder={t("gpu_placeholder")}
        groupsOf={groupsOf}
        onChoose={add}
        emptyText={t("gpu_none")}
      />
    </section>
  );
}

/** The first card with other memory: a part of a card, or a board that is not in the list. */
function OtherMemory() {
  const { gpus } = inputs.value;
  const [first = ""] = gpus;
  const [card = ""] = first.split("@");
  const asked = first.includes("@") ? findCapacity(first) : null;
  const gibibytes = asked?.ok === true ? asked.value.totalBytes / GIB : null;
  const change = (typed: string): void => {
    const size = Number(typed);
    const next = typed.trim() === "" || !(size > 0) ? card : `${card}@${Math.round(size * GIB)}`;
    if (findCapacity(next).ok) setInputs({ ...inputs.value, gpus: [next, ...gpus.slice(1)] });
  };
  return (
    <label class="field est-other-memory">
      <span>{t("gpu_memory")}</span>
      <input
        type="number"
        min="0.5"
        step="0.5"
        value={gibibytes === null ? "" : String(Number(gibibytes.toFixed(2)))}
        placeholder={t("gpu_memory_placeholder")}
        onChange={(event) => change(event.currentTarget.value)}
      />
    </label>
  );
}
