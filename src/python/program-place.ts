/** Where a program's files appear inside, and what people know them by. */

/** Where a program's project appears inside. */
export const HOME = "/home/user";

export interface ProgramPlace {
  /** Folders of the host that are mounted, by their paths inside. */
  readonly mounts: readonly string[];
  /** The script's own path inside, as its `__file__` says it. */
  readonly scriptPath: string;
  /** sys.path entries before the standard library. */
  readonly searchPath: readonly string[];
  readonly workingDirectory: string;
  /** Beginnings of paths inside and what people know them by. */
  readonly shownPaths: readonly (readonly [inside: string, shown: string])[];
}

/** The folder in a script's path as typed, with a slash at its end. */
export const typedFolder = (script: string): string =>
  script.slice(0, Math.max(script.lastIndexOf("/"), script.lastIndexOf("\\")) + 1);

/** A program whose files all lie in memory. */
export function placeInMemory(script: string): ProgramPlace {
  const shown = typedFolder(script);
  return {
    mounts: [],
    scriptPath: `${HOME}/${script.slice(shown.length)}`,
    searchPath: [HOME],
    workingDirectory: HOME,
    shownPaths: [[`${HOME}/`, shown]],
  };
}

/** Where the first folder of packages appears inside. */
export const SITE_PACKAGES = "/site-packages/0";
/** Nothing answers: a package that asks the network would wait for it. */
export const OFFLINE = { HF_HUB_OFFLINE: "1", HF_HUB_DISABLE_TELEMETRY: "1", DO_NOT_TRACK: "1" };

/** The same, with a folder of packages that is mounted. */
export const withPackages = (place: ProgramPlace): ProgramPlace => ({
  ...place,
  mounts: [...place.mounts, SITE_PACKAGES],
  searchPath: [...place.searchPath, SITE_PACKAGES],
  shownPaths: [...place.shownPaths, [`${SITE_PACKAGES}/`, "site-packages/"]],
});
