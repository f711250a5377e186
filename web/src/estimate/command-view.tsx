/** A command line that breaks between its words only, with a button that copies it. */

import { CopyButton } from "./copy-button.tsx";
import { estimateWords as t } from "./words.ts";

export function CommandView({ line }: { readonly line: string }) {
  return (
    <div class="est-command">
      <code>
        {line.split(" ").map((word, index) => (
          // words may repeat, their places do not
          <span key={index}>{index === 0 ? word : ` ${word}`}</span>
        ))}
      </code>
      <CopyButton label={t("copy")} text={() => line} />
    </div>
  );
}
