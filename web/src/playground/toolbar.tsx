/** What is run and on what: example, GPU, PyTorch version, arguments; Run and Stop. */

import { GPUS } from "../../../src/gpus/catalogue.ts";
import { TORCH_VERSIONS } from "../../../src/torch/releases.ts";
import { pythonLoading, retry } from "../engine/python-pool.ts";
import { PackagesMenu } from "../packages/menu.tsx";
import { shellWords } from "../words/index.ts";
import { EXAMPLES } from "./examples.ts";
import { SharePlayground } from "./link.tsx";
import {
  argumentText,
  exampleId,
  finished,
  gpu,
  kernelTemporaries,
  run,
  runState,
  showExample,
  source,
  stop,
  torch,
} from "./program.ts";
import { playgroundWords as t } from "./words.ts";

const OWN = "";

export function Toolbar() {
  const isRunning = runState.value.state === "running";
  return (
    <div class="toolbar">
      <label class="field">
        <span>{t("example_label")}</span>
        <select
          value={exampleId.value ?? OWN}
          onChange={(event) => {
            const chosen = EXAMPLES.find(({ id }) => id === event.currentTarget.value);
            if (chosen !== undefined) showExample(chosen);
          }}
        >
          {exampleId.value === null && <option value={OWN}>{t("example_own")}</option>}
          {EXAMPLES.map(({ id, title }) => (
            <option key={id} value={id}>
              {t(title)}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{t("gpu_label")}</span>
        <select value={gpu.value} onChange={(event) => (gpu.value = event.currentTarget.value)}>
          {GPUS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{t("torch_label")}</span>
        <select value={torch.value} onChange={(event) => (torch.value = event.currentTarget.value)}>
          {TORCH_VERSIONS.toReversed().map((version) => (
            <option key={version} value={version}>
              {version}
            </option>
          ))}
        </select>
      </label>
      <label class="field arguments">
        <span>{t("arguments_label")}</span>
        <input
          type="text"
          value={argumentText.value}
          placeholder={t("arguments_hint")}
          spellcheck={false}
          autocapitalize="off"
          onInput={(event) => (argumentText.value = event.currentTarget.value)}
        />
      </label>
      <span class="grow" />
      <PythonState />
      <MoreMenu />
      <PackagesMenu source={source.value} />
      <SharePlayground />
      {isRunning ? (
        <button
          type="button"
          class="stop"
          onClick={(event) => {
            // the second click of a double click on Run, in whose place this button appears
            if (event.detail < 2) stop();
          }}
        >
          {t("stop")} <kbd>Esc</kbd>
        </button>
      ) : (
        <button type="button" class="primary" onClick={() => void run()}>
          {finished.value === null ? t("run") : t("run_again")}
        </button>
      )}
    </div>
  );
}

/** What few people change. */
function MoreMenu() {
  return (
    <details class="menu more">
      <summary>{t("more_label")}</summary>
      <div class="menu-body">
        <label class="check">
          <input
            type="checkbox"
            checked={kernelTemporaries.value}
            onChange={(event) => (kernelTemporaries.value = event.currentTarget.checked)}
          />
          <span>{t("temporaries_label")}</span>
        </label>
        <p class="soft">{t("temporaries_text")}</p>
      </div>
    </details>
  );
}

/** Silent when Python is there; otherwise what it waits for. */
function PythonState() {
  const loading = pythonLoading.value;
  if (loading.state === "ready") return null;
  return (
    <span class="soft python-state" role="status">
      {loading.state === "waiting" && shellWords("python_waiting")}
      {loading.state === "fetching" &&
        shellWords("python_fetching", { percent: Math.floor((100 * loading.bytes) / loading.totalBytes) })}
      {loading.state === "failed" && (
        <>
          {shellWords("python_failed", { reason: loading.reason })}{" "}
          <button type="button" onClick={retry}>
            {shellWords("page_retry")}
          </button>
        </>
      )}
    </span>
  );
}
