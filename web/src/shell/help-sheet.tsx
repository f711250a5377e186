/** The sheet behind `?` and Ctrl+K: every command with its keys, searchable, and each one can be chosen. */

import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { shellWords as t } from "../words/index.ts";
import { commands, shownKeys, type Command } from "./commands.ts";

const isOpen = signal(false);

export function showHelp(): void {
  isOpen.value = true;
}

const GROUPS = ["page", "program", "chart"] as const;

export function HelpSheet() {
  const dialog = useRef<HTMLDialogElement>(null);
  const wanted = useSignal("");
  const open = isOpen.value;
  useEffect(() => {
    const element = dialog.current;
    if (open && element && !element.open) {
      wanted.value = "";
      element.showModal();
    }
  }, [open]);
  const words = wanted.value.toLowerCase().split(/\s+/);
  const found = commands.value.filter((command) => words.every((word) => command.label().toLowerCase().includes(word)));
  const choose = (command: Command): void => {
    dialog.current?.close();
    command.run();
  };
  return (
    <dialog class="sheet" ref={dialog} aria-labelledby="keys-title" onClose={() => (isOpen.value = false)}>
      <header>
        <h2 id="keys-title">{t("keys_title")}</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          {t("keys_close")}
        </button>
      </header>
      <input
        type="search"
        aria-label={t("keys_search")}
        placeholder={t("keys_search")}
        value={wanted.value}
        onInput={(event) => (wanted.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.isComposing && found[0] !== undefined) choose(found[0]);
        }}
      />
      {found.length === 0 && <p class="soft">{t("keys_none")}</p>}
      {GROUPS.map((group) => {
        const members = found.filter((command) => command.group === group);
        if (members.length === 0) return null;
        return (
          <section key={group}>
            <h3>{t(`group_${group}`)}</h3>
            <ul class="commands">
              {members.map((command) => (
                <li key={command.id}>
                  <button type="button" onClick={() => choose(command)}>
                    <span>{command.label()}</span>
                    <span class="caps">
                      {command.keys.map((keys) => (
                        <kbd key={keys}>{shownKeys(keys)}</kbd>
                      ))}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      <p class="soft">{t("keys_note")}</p>
    </dialog>
  );
}
