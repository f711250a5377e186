/** The viewer: recordings of other tools and our own, read in this browser, shown and compared. */

import { useComputed, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatBytes } from "../../../src/base/bytes.ts";
import { messageOrCode } from "../../../src/i18n/index.ts";
import { addCommands } from "../shell/commands.ts";
import { droppedFiles, droppedFolders, isDragging } from "../state/dropped-files.ts";
import { handedProgram } from "../state/hand-over.ts";
import { lastRun } from "../state/last-run.ts";
import { navigate } from "../state/route.ts";
import { locale } from "../state/settings.ts";
import { ChooseFiles } from "./choose-files.tsx";
import { Empty } from "./empty.tsx";
import { takeHandedFiles } from "./handed.ts";
import { RecordingView, showComparison } from "./recording-view.tsx";
import {
  cancel,
  close,
  fail,
  failures,
  openFiles,
  overlaid,
  overlay,
  reading,
  recordings,
  reopen,
  show,
  shown,
  type Failure,
  type Recording,
} from "./recordings.ts";
import { SideBySide } from "./side-by-side.tsx";
import { viewerWords as t } from "./words.ts";
import "./viewer.css";

function onPaste(event: ClipboardEvent): void {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  const { target } = event;
  const isTyping = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  if (isTyping || text.trim() === "" || (event.clipboardData?.files.length ?? 0) > 0) return;
  event.preventDefault();
  openFiles([new File([text], t("pasted_name"))]);
}

export function ViewerPage() {
  useSignalEffect(() => {
    const [files, folders] = [droppedFiles.value, droppedFolders.value];
    droppedFiles.value = [];
    droppedFolders.value = [];
    if (files.length > 0) openFiles(files);
    for (const name of folders) fail({ name, folder: true });
  });
  useEffect(() => {
    void takeHandedFiles();
    addEventListener("paste", onPaste);
    const remove = addCommands([
      {
        id: "open",
        group: "page",
        keys: ["Mod+O"],
        label: () => t("choose"),
        run: () => document.querySelector<HTMLInputElement>(".page-open input[type=file]")?.click(),
      },
      {
        id: "next-file",
        group: "page",
        keys: ["N"],
        label: () => t("command_next_file"),
        run: () => step(1),
      },
      {
        id: "previous-file",
        group: "page",
        keys: ["Shift+N"],
        label: () => t("command_previous_file"),
        run: () => step(-1),
      },
    ]);
    return () => {
      removeEventListener("paste", onPaste);
      remove();
    };
  }, []);
  const recording = shown.value;
  return (
    <>
      <h1 class="visually-hidden">{t("title")}</h1>
      {failures.value.map((failure, index) => (
        <FailureNote key={index} failure={failure} />
      ))}
      {recordings.value.length > 0 && <FileBar />}
      <SideBySide />
      <Progress />
      {recording === null
        ? reading.value === null && <Empty />
        : recordings.value.length > 0 && (
            <RecordingView
              key={`${recording.id} ${recording.device}`}
              recording={recording}
              overlaid={overlaid.value}
            />
          )}
      {isDragging.value && (
        <div class="drop-veil" aria-hidden="true">
          {t("drop_now")}
        </div>
      )}
    </>
  );
}

/** Goes to the next or previous open file. */
function step(by: 1 | -1): void {
  const open = recordings.value;
  const at = open.findIndex((recording) => recording === shown.value);
  const next = open[(at + by + open.length) % Math.max(1, open.length)];
  if (next !== undefined) show(next.id);
}

function Progress() {
  const now = reading.value;
  if (now === null) return null;
  const { name, stage, bytes, totalBytes } = now;
  const share = stage === "reading" && totalBytes > 0 ? Math.min(1, bytes / totalBytes) : undefined;
  return (
    <section class="card progress">
      <p>
        <span role="status">{t(stage, { name })}</span>{" "}
        {stage !== "explaining" && (
          <span class="soft num">
            {stage === "reading" ? t("reading_bytes", { bytes, totalBytes }) : formatBytes(bytes)}
          </span>
        )}
      </p>
      <progress aria-label={t(stage, { name })} {...(share === undefined ? {} : { value: share })} />
      <button type="button" onClick={cancel}>
        {t("cancel")}
      </button>
    </section>
  );
}

/** Devices of which the notes of a recording say that they are in the file, too. */
function devicesOf({ notes, device }: Recording): readonly number[] {
  const others = notes.map(({ args }) => args["devices"]).find((value) => typeof value === "string");
  if (typeof others !== "string") return [];
  const listed = others.split(", ").map(Number).filter(Number.isInteger);
  // without a choice the first one was read
  const own =
    device ?? Array.from({ length: listed.length + 1 }, (_, index) => index).find((n) => !listed.includes(n))!;
  return [...listed, own].sort((a, b) => a - b);
}

function FileBar() {
  const recording = shown.value;
  const devices = recording === null ? [] : devicesOf(recording);
  const others = useComputed(() => recordings.value.filter((other) => other !== shown.value));
  const run = lastRun.value;
  return (
    <div class="file-bar">
      <ul class="files" aria-label={t("files_label")}>
        {recordings.value.map(({ id, name }) => (
          <li key={id} class={id === recording?.id ? "current" : ""}>
            <button type="button" aria-pressed={id === recording?.id} title={name} onClick={() => show(id)}>
              {name}
            </button>
            <button type="button" class="quiet" aria-label={t("close_file", { name })} onClick={() => close(id)}>
              ×
            </button>
          </li>
        ))}
      </ul>
      <ChooseFiles label={t("open_more")} />
      <span class="grow" />
      {recording !== null && devices.length > 1 && (
        <label>
          <span>{t("device_label")}</span>
          <select
            value={recording.device ?? devices.find((device) => !notesName(recording, device))}
            onChange={(event) => reopen(recording, { device: Number(event.currentTarget.value) })}
          >
            {devices.map((device) => (
              <option key={device} value={device}>
                {t("device_name", { device })}
              </option>
            ))}
          </select>
        </label>
      )}
      {(others.value.length > 0 || run !== null) && (
        <label>
          <span>{t("overlay_label")}</span>
          <select
            value={overlay.value ?? ""}
            onChange={(event) => {
              const { value } = event.currentTarget;
              overlay.value = value === "" ? null : value === "run" ? "run" : Number(value);
              if (value !== "") showComparison();
            }}
          >
            <option value="">{t("overlay_none")}</option>
            {others.value.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {run !== null && <option value="run">{t("overlay_run", { name: run.name })}</option>}
          </select>
        </label>
      )}
    </div>
  );
}

/** Whether the notes name the device as another one than that which is shown. */
function notesName({ notes }: Recording, device: number): boolean {
  return notes.some(
    ({ args }) => typeof args["devices"] === "string" && args["devices"].split(", ").includes(`${device}`),
  );
}

function reasonOf(failure: Failure): string {
  if ("gone" in failure) return t("failed_gone");
  if ("folder" in failure) return t("failed_folder", { name: failure.name });
  const reason =
    "reason" in failure
      ? t("failed_worker", { reason: failure.reason })
      : messageOrCode(locale.value, failure.diagnostic.code, failure.diagnostic.args);
  return t("failed", { name: failure.name, reason });
}

function FailureNote({ failure }: { readonly failure: Failure }) {
  const dismiss = (): void => {
    failures.value = failures.value.filter((other) => other !== failure);
  };
  const code = "diagnostic" in failure ? failure.diagnostic.code : "";
  const toPlayground = async (file: File): Promise<void> => {
    handedProgram.value = {
      name: file.name.endsWith(".py") ? file.name : "program.py",
      source: await file.text(),
      gpu: null,
      torch: null,
      files: {},
    };
    dismiss();
    navigate("playground");
  };
  return (
    <div class="failure" role="alert">
      <p>{reasonOf(failure)}</p>
      {code === "open_is_program" && "file" in failure && (
        <button type="button" onClick={() => void toPlayground(failure.file)}>
          {t("to_playground")}
        </button>
      )}
      {code === "open_is_model" && (
        <button
          type="button"
          onClick={() => {
            dismiss();
            navigate("estimate");
          }}
        >
          {t("to_estimate")}
        </button>
      )}
      <button type="button" class="quiet" onClick={dismiss}>
        {t("dismiss")}
      </button>
    </div>
  );
}
