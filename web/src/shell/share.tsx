/** The menu that shares what the page shows: a link, the command line that gives the same, and files where a link is too long. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { addressOf, type Page } from "../state/route.ts";
import { download } from "../state/download.ts";
import { shellWords as t } from "../words/index.ts";
import "./share.css";

export interface SharedFile {
  readonly label: string;
  readonly name: string;
  readonly make: () => Uint8Array | string;
}

export interface ShareProps {
  readonly page: Page;
  /** The query of the link; null where it would be too long. */
  readonly query: () => Promise<string | null>;
  /** The command that gives the same result, or null. */
  readonly command: string | null;
  /** Files with what the page shows. */
  readonly files: readonly SharedFile[];
}

type Told = "nothing" | "link" | "command" | "long";

export function Share({ page, query, command, files }: ShareProps) {
  const status = useSignal<Told>("nothing");
  /** Shown where the page may not write to the clipboard. */
  const shown = useSignal("");
  const menu = useRef<HTMLDetailsElement>(null);
  const copy = async (text: string, what: Told): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      shown.value = "";
      status.value = what;
    } catch {
      shown.value = text;
    }
  };
  const copyLink = async (): Promise<void> => {
    const made = await query();
    if (made === null) {
      status.value = "long";
      return;
    }
    const [base] = document.location.href.split(/[?#]/);
    await copy(`${base}${addressOf(page, made)}`, "link");
  };
  return (
    <details
      class="menu share"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || menu.current?.open !== true) return;
        event.stopPropagation();
        menu.current.open = false;
        menu.current.querySelector("summary")?.focus();
      }}
      onToggle={() => {
        status.value = "nothing";
        shown.value = "";
      }}
    >
      <summary>{t("share")}</summary>
      <div class="menu-body">
        <button type="button" onClick={() => void copyLink()}>
          {t("share_link")}
        </button>
        <p role="status" class="soft">
          {status.value === "nothing" ? t("share_link_note") : t(`share_told_${status.value}`)}
        </p>
        {shown.value !== "" && (
          <label>
            <span>{t("share_by_hand")}</span>
            <input type="text" readOnly value={shown.value} onFocus={(event) => event.currentTarget.select()} />
          </label>
        )}
        {files.map(({ label, name, make }) => (
          <button key={name} type="button" onClick={() => download(name, make())}>
            {label} <code>{name}</code>
          </button>
        ))}
        {command !== null && (
          <>
            <p class="soft">{t("share_command")}</p>
            <pre tabIndex={0}>{command}</pre>
            <button type="button" onClick={() => void copy(command, "command")}>
              {t("share_copy_command")}
            </button>
          </>
        )}
      </div>
    </details>
  );
}
