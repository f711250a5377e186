/** Sentences beside a verdict, each with its word before it: the same component for runs, recordings and estimates. */

import "./beside.css";
import type { CardLine } from "../../../src/report/verdict-words.ts";

export function Beside({ lines }: { readonly lines: readonly CardLine[] }) {
  if (lines.length === 0) return null;
  return (
    <dl class="beside">
      {lines.map(({ id, label, text }) => (
        <div key={id} class={`beside-${id}`}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
