/** A text field with a list below it: typing filters, arrows choose, groups have headings. */

import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";

export interface ComboOption {
  readonly id: string;
  readonly label: string;
  /** At the right, such as a size. */
  readonly note: string;
}
export interface ComboGroup {
  readonly label: string;
  readonly options: readonly ComboOption[];
}

interface Props {
  readonly label: string;
  /** What the field shows while nobody types. */
  readonly shown: string;
  readonly placeholder?: string;
  /** Null while nothing was typed. */
  readonly groupsOf: (typed: string | null) => readonly ComboGroup[];
  readonly onChoose: (id: string) => void;
  readonly emptyText: string;
  /** What the field's text means when Enter is pressed and nothing in the list matches. */
  readonly onOther?: (typed: string) => void;
}

export function Combobox({ label, shown, placeholder, groupsOf, onChoose, emptyText, onOther }: Props) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const isOpen = useSignal(false);
  const typed = useSignal<string | null>(null);
  const active = useSignal(0);
  const groups = isOpen.value ? groupsOf(typed.value) : [];
  const options = groups.flatMap((group) => group.options);
  const close = (): void => {
    isOpen.value = false;
    typed.value = null;
  };
  const open = (): void => {
    if (isOpen.value) return;
    isOpen.value = true;
    const flat = groupsOf(null).flatMap((group) => group.options);
    active.value = Math.max(
      0,
      flat.findIndex((option) => option.label === shown),
    );
  };
  const choose = (id: string): void => {
    close();
    onChoose(id);
  };
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }): void => {
    if (event.isComposing || event.keyCode === 229) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen.value) open();
      else active.value = Math.max(0, Math.min(options.length - 1, active.value + step));
    } else if (event.key === "Enter" && isOpen.value) {
      event.preventDefault();
      const chosen = options[active.value];
      if (chosen !== undefined) choose(chosen.id);
      else if (typed.value !== null && onOther !== undefined) {
        const text = typed.value;
        close();
        onOther(text);
      }
    } else if (event.key === "Escape" && isOpen.value) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  let index = -1;
  return (
    <div class="combo">
      <label for={`${base}-field`}>{label}</label>
      <input
        id={`${base}-field`}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-expanded={isOpen.value}
        aria-autocomplete="list"
        aria-controls={`${base}-list`}
        aria-activedescendant={isOpen.value && options.length > 0 ? `${base}-${active.value}` : undefined}
        placeholder={placeholder}
        value={typed.value ?? shown}
        onFocus={(event) => event.currentTarget.select()}
        onClick={open}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          active.value = 0;
          isOpen.value = true;
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div id={`${base}-list`} class="combo-list" role="listbox" aria-label={label} hidden={!isOpen.value} ref={list}>
        {isOpen.value && options.length === 0 && <p class="soft">{emptyText}</p>}
        {groups.map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            {group.label !== "" && <div class="combo-head">{group.label}</div>}
            {group.options.map((option) => {
              index++;
              const own = index;
              return (
                <div
                  key={option.id}
                  id={`${base}-${own}`}
                  role="option"
                  aria-selected={own === active.value}
                  class="combo-option"
                  onMouseDown={(event) => {
                    // the field keeps the focus
                    event.preventDefault();
                    choose(option.id);
                  }}
                >
                  <span>{option.label}</span>
                  <span class="soft num">{option.note}</span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
