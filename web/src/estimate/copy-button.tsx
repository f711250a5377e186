/** A button that copies a text, and says that it did. */

import { useSignal } from "@preact/signals";
import { estimateWords as t } from "./words.ts";

const SHOWN_MS = 1600;

export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const state = useSignal<"idle" | "done" | "failed">("idle");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      state.value = "done";
    } catch {
      state.value = "failed";
    }
    setTimeout(() => (state.value = "idle"), SHOWN_MS);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      <span aria-live="polite">{state.value === "idle" ? label : t(`copy_${state.value}`)}</span>
    </button>
  );
}
