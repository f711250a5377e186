/** What the program printed, and its traceback. */

import { useEffect, useRef } from "preact/hooks";
import { finished, output, outputLeftOut, runState } from "./program.ts";
import { playgroundWords as t } from "./words.ts";

export function Output() {
  const box = useRef<HTMLPreElement>(null);
  const pieces = output.value;
  const running = runState.value.state === "running";
  const errorText = running ? null : (finished.value?.result.errorText ?? null);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [pieces, errorText]);
  const ran = running || finished.value !== null;
  return (
    <details class="output" open={ran}>
      <summary>{t("output_title")}</summary>
      {/* a region that scrolls must be reachable by keyboard */}
      <pre ref={box} tabIndex={0} aria-label={t("output_title")}>
        {outputLeftOut.value > 0 && (
          <span class="soft">{`${t("output_left_out", { count: outputLeftOut.value })}\n`}</span>
        )}
        {pieces.map(({ stream, text }, index) => (
          <span key={index} class={stream}>
            {text}
          </span>
        ))}
        {errorText !== null && <span class="stderr">{errorText}</span>}
        {ran && !running && pieces.length === 0 && errorText === null && <span class="soft">{t("output_empty")}</span>}
      </pre>
    </details>
  );
}
