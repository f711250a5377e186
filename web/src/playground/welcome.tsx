/** What a first visitor reads: what this is, the three ways in, and why to believe it. */

import { addressOf } from "../state/route.ts";
import { playgroundWords as t } from "./words.ts";

export function Welcome() {
  return (
    <section class="welcome" aria-label={t("welcome_title")}>
      <p class="welcome-what">{t("welcome_what")}</p>
      <nav class="doors" aria-label={t("welcome_doors")}>
        <a class="door" href={addressOf("playground")} onClick={toEditor}>
          <strong>{t("door_run")}</strong>
          <span class="soft">{t("door_run_text")}</span>
        </a>
        <a class="door" href={addressOf("estimate")}>
          <strong>{t("door_fit")}</strong>
          <span class="soft">{t("door_fit_text")}</span>
        </a>
        <a class="door" href={addressOf("open")}>
          <strong>{t("door_open")}</strong>
          <span class="soft">{t("door_open_text")}</span>
        </a>
      </nav>
      <p class="soft welcome-proof">
        {t("proof")} <a href={__PROOF__}>{t("proof_link")}</a>
      </p>
    </section>
  );
}

function toEditor(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>(".cm-content")?.focus();
}
