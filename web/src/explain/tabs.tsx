/** Tabs with the keys that people expect: arrows, Home and End move, one tab stop for all. */

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly render: () => ComponentChildren;
}

export interface TabsProps {
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly label: string;
}

export function Tabs({ tabs, chosen, onChoose, label }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const index = Math.max(
    0,
    tabs.findIndex(({ id }) => id === chosen),
  );
  const shown = tabs[index];
  const go = (to: number): void => {
    const next = tabs[(to + tabs.length) % tabs.length]!;
    onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(to);
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ id, label: name }, at) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={at === index}
            aria-controls={`panel-${id}`}
            tabIndex={at === index ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {name}
          </button>
        ))}
      </div>
      {shown !== undefined && (
        <div
          class="tab-panel"
          role="tabpanel"
          key={shown.id}
          id={`panel-${shown.id}`}
          aria-labelledby={`tab-${shown.id}`}
          tabIndex={0}
        >
          {shown.render()}
        </div>
      )}
    </>
  );
}
