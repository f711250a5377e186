/** What is shown before anything is open: what can be dropped, and how such a file is made. */

import { useSignal } from "@preact/signals";
import { fail, openFiles } from "./recordings.ts";
import { viewerWords as t } from "./words.ts";
import { ChooseFiles } from "./choose-files.tsx";

const SNAPSHOT = `torch.cuda.memory._record_memory_history()
...  # your program
torch.cuda.memory._dump_snapshot("snapshot.pickle")`;
const SAMPLE = "keeps_outputs.pickle";
const RUN = "vramscope run -o trace.json train.py";
const SMI = "nvidia-smi --query-gpu=timestamp,memory.used --format=csv -l 1 > memory.csv";

export function Empty() {
  return (
    <div class="viewer-empty">
      <section class="drop-box">
        <h2>{t("empty_title")}</h2>
        <p class="soft">{t("empty_text")}</p>
        <p>
          <ChooseFiles label={t("choose")} primary /> <span class="soft">{t("paste_hint")}</span>
        </p>
        <p>
          <button type="button" onClick={() => void openSample()}>
            {t("sample_open")}
          </button>{" "}
          <span class="soft">{t("sample_text")}</span>
        </p>
      </section>
      <section>
        <h2>{t("how_title")}</h2>
        <Recipe title={t("how_snapshot")} text={SNAPSHOT} />
        <Recipe title={t("how_run")} text={RUN} />
        <Recipe title={t("how_smi")} text={SMI} />
      </section>
    </div>
  );
}

/** A snapshot that was made when the page was built. */
async function openSample(): Promise<void> {
  try {
    const response = await fetch(new URL(__SAMPLE_SNAPSHOT__, document.baseURI));
    if (!response.ok) throw new Error(String(response.status));
    openFiles([new File([await response.blob()], SAMPLE)]);
  } catch {
    fail({ name: SAMPLE, file: new File([], SAMPLE), reason: t("sample_failed") });
  }
}

function Recipe({ title, text }: { readonly title: string; readonly text: string }) {
  const copied = useSignal(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    copied.value = true;
    setTimeout(() => (copied.value = false), 2000);
  };
  return (
    <div class="recipe">
      <div class="recipe-head">
        <h3>{title}</h3>
        <button type="button" class="quiet" onClick={() => void copy()}>
          <span aria-live="polite">{copied.value ? t("copied") : t("copy")}</span>
        </button>
      </div>
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
}
