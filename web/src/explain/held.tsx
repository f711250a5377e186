/** Who holds the largest blocks at a moment, the pinned one first: the program runs again and is looked at just then. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { heldBlock, heldBlocks, type HeldBlock } from "../../../src/explain/held-blocks.ts";
import { message } from "../../../src/i18n/index.ts";
import { birthText, blockTitle } from "../../../src/report/block-words.ts";
import { chainText, deathText } from "../../../src/report/holder-words.ts";
import type { HolderTable } from "../../../src/session/holders.ts";
import type { Trace } from "../../../src/trace/model.ts";
import { locale } from "../state/settings.ts";
import { Marked } from "./marked.tsx";
import { explainWords as t } from "./words.ts";

const MOST_BLOCKS = 12;
const MOST_HOLDERS = 4;
/** Somebody who goes through events does not want an answer for each. */
const LOOK_AFTER_MS = 300;

export interface HeldProps {
  readonly trace: Trace;
  readonly event: number;
  /** The block that is pinned, or -1. */
  readonly pinned: number;
  /** Whether to look by itself; otherwise somebody must ask for it. */
  readonly isAsked: boolean;
  /** Runs the program again and looks after this event. */
  readonly onLook: (event: number, abort: AbortSignal) => Promise<HolderTable | null>;
  readonly onBlock: (index: number) => void;
}

export function Held({ trace, event, pinned, isAsked, onLook, onBlock }: HeldProps) {
  const looked = useSignal<{ readonly event: number; readonly holders: HolderTable | null } | null>(null);
  const going = useRef<AbortController | null>(null);
  const isLooking = useSignal(false);
  const look = async (): Promise<void> => {
    going.current?.abort();
    const own = new AbortController();
    going.current = own;
    isLooking.value = true;
    try {
      const holders = await onLook(event, own.signal);
      if (going.current === own) looked.value = { event, holders };
    } finally {
      if (going.current === own) isLooking.value = false;
    }
  };
  useEffect(() => {
    if (!isAsked) return;
    const timer = setTimeout(() => void look(), LOOK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [trace, event, isAsked]);
  useEffect(() => () => going.current?.abort(), []);
  const found = looked.value;
  return (
    <div class="held">
      <p class="soft">{t("held_intro")}</p>
      {isLooking.value || (isAsked && found?.event !== event) ? (
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
            {blocksOf(trace, found.holders, found.event, pinned).map((held) => (
              <HeldRow key={held.index} trace={trace} held={held} onBlock={onBlock} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function blocksOf(trace: Trace, holders: HolderTable | null, event: number, pinned: number): HeldBlock[] {
  const largest = heldBlocks(trace, holders, event, MOST_BLOCKS);
  const block = trace.blocks[pinned];
  const isAlive =
    block !== undefined && block.allocEvent <= event && (block.freeEvent === -1 || block.freeEvent > event);
  if (!isAlive) return largest;
  return [heldBlock(trace, holders, pinned, event), ...largest.filter(({ index }) => index !== pinned)];
}

function HeldRow({
  trace,
  held: { index, block, chains, death },
  onBlock,
}: {
  readonly trace: Trace;
  readonly held: HeldBlock;
  readonly onBlock: (index: number) => void;
}) {
  const holders = [
    birthText(locale.value, trace, block),
    ...chains
      .slice(0, MOST_HOLDERS)
      .map((chain) => message(locale.value, "held_by", { holder: chainText(locale.value, trace, chain) })),
    ...(chains.length > MOST_HOLDERS
      ? [message(locale.value, "held_more", { count: chains.length - MOST_HOLDERS })]
      : []),
    deathText(locale.value, trace, death),
  ];
  return (
    <li>
      <button type="button" class="link" onClick={() => onBlock(index)}>
        {blockTitle(locale.value, index, block)}
      </button>
      <ul>
        {holders.map((text, at) => (
          <li key={at}>
            <Marked text={text} />
          </li>
        ))}
      </ul>
    </li>
  );
}
