/** Sentences beside a verdict, each with its word before it: the same component for runs, recordings and estimates. */

import type { ComponentChildren } from "preact";
import "./beside.css";
import type { CardLine } from "../../../src/report/verdict-words.ts";

interface BesideProps {
  readonly lines: readonly CardLine[];
  /** What stands behind a sentence, by its kind. */
  readonly after?: Partial<Readonly<Record<CardLine["id"], ComponentChildren>>>;
}

export function Beside({ lines, after = {} }: BesideProps) {
  if (lines.length === 0) return null;
  return (
    <dl class="beside">
      {lines.map(({ id, label, text }) => (
        <div key={id} class={`beside-${id}`}>
          <dt>{label}</dt>
          <dd>
            {text} {after[id]}
          </dd>
        </div>
      ))}
    </dl>
  );
}
