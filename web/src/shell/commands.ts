/** Everything that a key can do, as a table: the sheet behind `?`, the palette and the keyboard read it. */

import { signal, type ReadonlySignal } from "@preact/signals";

export interface Command {
  readonly id: string;
  readonly group: "page" | "program" | "chart";
  /**
   * Keys, the first one shown: `?`, `Escape`, `Mod+Enter`, `Shift+N`; with `code:` by place on the keyboard, `code:KeyW`.
   * `Mod` is Ctrl, or Cmd on a Mac.
   */
  readonly keys: readonly string[];
  /** In the reader's language. */
  readonly label: () => string;
  readonly run: () => void;
  /** Works while text is typed, too. */
  readonly inText?: boolean;
  /** While this says yes, the command goes before all others with the same key; while it says no, it is not there. */
  readonly when?: () => boolean;
}

const table = signal<readonly Command[]>([]);
export const commands: ReadonlySignal<readonly Command[]> = table;

/** Adds commands while a part of the page is shown; the function takes them away again. */
export function addCommands(added: readonly Command[]): () => void {
  table.value = [...table.value, ...added];
  return () => {
    table.value = table.value.filter((command) => !added.includes(command));
  };
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

function matches(keys: string, event: KeyboardEvent): boolean {
  const parts = keys.split("+").filter((part) => part !== "");
  const key = keys.endsWith("+") ? "+" : (parts.at(-1) ?? "");
  const wanted = new Set(keys === "+" ? [] : parts.slice(0, -1));
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const other = isMac ? event.ctrlKey : event.metaKey;
  if (mod !== wanted.has("Mod") || other || event.altKey !== wanted.has("Alt")) return false;
  if (key.startsWith("code:")) return event.code === key.slice(5) && event.shiftKey === wanted.has("Shift");
  // a sign such as ? may need Shift to be typed
  const shiftMatters = /^[a-z]$/i.test(key) || key.length > 1;
  if (shiftMatters && event.shiftKey !== wanted.has("Shift")) return false;
  return event.key.toLowerCase() === key.toLowerCase();
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Keys as people read them: `Ctrl Enter`, `W`. */
export function shownKeys(keys: string): string {
  const names: Readonly<Record<string, string>> = {
    Mod: isMac ? "⌘" : "Ctrl",
    ArrowLeft: "←",
    ArrowRight: "→",
    ArrowUp: "↑",
    ArrowDown: "↓",
    Escape: "Esc",
  };
  if (keys === "+") return "+";
  return keys
    .split("+")
    .map((part) => part.replace(/^code:(Key|Digit)?/, ""))
    .map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(" ");
}

/** Listens for the whole page. Later commands win over earlier ones. */
export function listenForKeys(): void {
  addEventListener("keydown", (event) => {
    // while an input method composes, its keys are its own
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
    // a sheet that lies over the page has the keyboard for itself, Escape above all
    if (document.querySelector("dialog[open]") !== null) return;
    const typing = isTyping(event.target);
    const present = table.value.filter(({ when }) => when === undefined || when()).toReversed();
    for (const command of present.toSorted((a, b) => Number(b.when !== undefined) - Number(a.when !== undefined))) {
      if (typing && command.inText !== true) continue;
      if (!command.keys.some((keys) => matches(keys, event))) continue;
      event.preventDefault();
      command.run();
      return;
    }
  });
}
