/** A profile in words: what was learned about a machine, and from which files. */

import { GPUS } from "../gpus/catalogue.ts";
import { withProfile, type Profile } from "../gpus/profile.ts";
import { message, type Locale } from "../i18n/index.ts";

const INDENT = "  ";

export function profileText(profile: Profile, locale: Locale): string {
  const gpu = GPUS.find(({ id }) => id === profile.gpu);
  const about = [
    gpu?.name ?? profile.gpu,
    ...(profile.driver === null ? [] : [message(locale, "profile_driver", { driver: profile.driver })]),
    ...(profile.torch === null ? [] : [message(locale, "profile_torch", { torch: profile.torch })]),
  ];
  const context = gpu === undefined ? null : withProfile(gpu, profile).context;
  const lines = [`${profile.name} · ${about.join(" · ")}`];
  if (context?.mark === "measured") {
    const { lowBytes, expectedBytes, highBytes } = context;
    lines.push(INDENT + message(locale, "profile_context", { expectedBytes, lowBytes, highBytes }));
  }
  for (const { file, contextBytes, roundingBytes, when } of profile.measurements) {
    lines.push(INDENT + INDENT + message(locale, `profile_from_${when}`, { file, contextBytes, roundingBytes }));
  }
  const { cublasWorkspaceBytes } = profile;
  if (cublasWorkspaceBytes !== null)
    lines.push(INDENT + message(locale, "profile_workspace", { cublasWorkspaceBytes }));
  return `${lines.join("\n")}\n`;
}
