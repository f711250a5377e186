/** Who holds the largest blocks at a moment: the program runs again and is looked at just then. */

import { useSignal } from "@preact/signals";
import { heldBlocks, type HeldBlock } from "../../../src/explain/held-blocks.ts";
import { message } from "../../../src/i18n/index.ts";
import { birthText, blockTitle } from "../../../src/report/block-words.ts";
import { chainText, deathText } from "../../../src/report/holder-words.ts";
import type { HolderTable } from "../../../src/session/holders.ts";
import type { Trace } from "../../../src/trace/model.ts";
import { locale } from "../state/settings.ts";
import { explainWords as t } from "./words.ts";

const MOST_BLOCKS = 12;
const MOST_HOLDERS = 4;

export interface HeldProps {
  readonly trace: Trace;
  readonly event: number;
  /** Runs the program again and looks after this event. */
  readonly onLook: (event: number) => Promise<HolderTable | null>;
  readonly onBlock: (index: number) => void;
}

export function Held({ trace, event, onLook, onBlock }: HeldProps) {
  const looked = useSignal<{ readonly event: number; readonly blocks: readonly HeldBlock[] } | null>(null);
  const looking = useSignal(false);
  const look = async (): Promise<void> => {
    looking.value = true;
    try {
      const holders = await onLook(event);
      looked.value = { event, blocks: heldBlocks(trace, holders, event, MOST_BLOCKS) };
    } finally {
      looking.value = false;
    }
  };
  const found = looked.value;
  return (
    <div class="held">
      <p class="soft">{t("held_intro")}</p>
      {looking.value ? (
        <p role="status">{t("held_looking")}</p>
      ) : (
        found?.event !== event && (
          <button type="button" onClick={() => void look()}>
            {t("held_look", { event })}
          </button>
        )
      )}
      {found !== null && (
        <>
          <h3>{t("held_title", { event: found.event })}</h3>
          <ul class="held-blocks">
            {found.blocks.map(({ index, block, chains, death }) => (
              <li key={index}>
                <button type="button" class="link" onClick={() => onBlock(index)}>
                  {blockTitle(locale.value, index, block)}
                </button>
                <ul>
                  <li>{birthText(locale.value, trace, block)}</li>
                  {chains.slice(0, MOST_HOLDERS).map((chain, at) => (
                    <li key={at}>
                      {message(locale.value, "held_by", { holder: chainText(locale.value, trace, chain) })}
                    </li>
                  ))}
                  {chains.length > MOST_HOLDERS && (
                    <li>{message(locale.value, "held_more", { count: chains.length - MOST_HOLDERS })}</li>
                  )}
                  <li>{deathText(locale.value, trace, death)}</li>
                </ul>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
