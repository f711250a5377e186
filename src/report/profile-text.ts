/** A profile in words: what was learned about a machine, and from which files. */

import { GPUS } from "../gpus/catalogue.ts";
import { withProfile, type Profile } from "../gpus/profile.ts";
import { message, type Locale } from "../i18n/index.ts";

const INDENT = "  ";

/** What programs loaded after CUDA had started, at most; null where it was not measured before and after. */
function librariesIn({ measurements }: Profile): number | null {
  const sizes = (when: "start" | "work") =>
    measurements.filter((entry) => entry.when === when).map(({ contextBytes }) => contextBytes);
  const [start, work] = [sizes("start"), sizes("work")];
  if (start.length === 0 || work.length === 0) return null;
  const bytes = Math.max(...work) - Math.min(...start);
  return bytes >= 0 ? bytes : null;
}

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
  const libraryBytes = librariesIn(profile);
  if (libraryBytes !== null) lines.push(INDENT + message(locale, "profile_libraries", { libraryBytes }));
  const { cublasWorkspaceBytes } = profile;
  if (cublasWorkspaceBytes !== null)
    lines.push(INDENT + message(locale, "profile_workspace", { cublasWorkspaceBytes }));
  return `${lines.join("\n")}\n`;
}
