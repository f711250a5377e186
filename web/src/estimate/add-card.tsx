/** The button behind a card in a table: the card joins those that are compared. */

import { inputs, setInputs } from "./page-state.ts";
import { estimateWords as t } from "./words.ts";

export function AddCard({ card }: { readonly card: { readonly id: string; readonly name: string } }) {
  return (
    <button
      type="button"
      class="quiet est-add"
      aria-label={t("where_add", { gpu: card.name })}
      onClick={() => setInputs({ ...inputs.value, gpus: [...inputs.value.gpus, card.id] })}
    >
      +
    </button>
  );
}
