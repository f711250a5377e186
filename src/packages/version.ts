/** Versions of Python packages and what requirements say of them: PEP 440, as far as indexes use it. */

import { table } from "../base/table.ts";

export interface Version {
  readonly text: string;
  readonly epoch: number;
  readonly release: readonly number[];
  /** a, b, rc with a number; null for none. */
  readonly pre: readonly [string, number] | null;
  readonly post: number | null;
  readonly dev: number | null;
  readonly local: string | null;
}

const VERSION =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/;
const PRE = table<string>({ alpha: "a", beta: "b", c: "rc", pre: "rc", preview: "rc" });
/** What is longer than this is no version. */
const LONGEST = 100;

/** Null for what is none. */
export function parseVersion(text: string): Version | null {
  const match = text.length > LONGEST ? null : VERSION.exec(text.trim().toLowerCase());
  if (match === null) return null;
  const [, epoch, release, pre, preNumber, postDash, post, postNumber, dev, devNumber, local] = match;
  return {
    text: text.trim(),
    epoch: Number(epoch ?? 0),
    release: release!.split(".").map(Number),
    pre: pre === undefined ? null : [PRE[pre] ?? pre, Number(preNumber || 0)],
    post: postDash !== undefined ? Number(postDash) : post === undefined ? null : Number(postNumber || 0),
    dev: dev === undefined ? null : Number(devNumber || 0),
    local: local ?? null,
  };
}

export const isPreRelease = ({ pre, dev }: Version): boolean => pre !== null || dev !== null;

/** What comes before, between and after releases, as texts and numbers that compare in this order. */
function keyOf(version: Version, { local = true } = {}): (number | string)[] {
  const { epoch, release, pre, post, dev } = version;
  const last = release.findLastIndex((part) => part !== 0);
  const numbers = Array.from({ length: 6 }, (_, i) => (i <= last ? release[i]! : 0));
  const phase = pre !== null ? ["a", "b", "rc"].indexOf(pre[0]) : dev !== null && post === null ? -1 : 3;
  const own = [epoch, ...numbers, phase, pre?.[1] ?? 0, post ?? -1, dev ?? Number.MAX_SAFE_INTEGER];
  return local ? [...own, version.local ?? ""] : own;
}

function compareKeys(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return 0;
}

export const compareVersions = (a: Version, b: Version): number => compareKeys(keyOf(a), keyOf(b));
const comparePublic = (a: Version, b: Version): number =>
  compareKeys(keyOf(a, { local: false }), keyOf(b, { local: false }));

export interface Specifier {
  readonly operator: string;
  readonly text: string;
  /** Null for `===` with any text. */
  readonly version: Version | null;
  /** `==1.2.*`. */
  readonly isPrefix: boolean;
}

/** `>=1.0,<2`; null for what cannot be read. */
export function parseSpecifiers(text: string): readonly Specifier[] | null {
  const found: Specifier[] = [];
  for (const part of text.split(",")) {
    if (part.trim() === "") continue;
    const match = /^\s*(===|==|!=|<=|>=|~=|<|>)\s*(\S+)\s*$/.exec(part);
    if (match === null) return null;
    const [, operator, typed] = match;
    const isPrefix = typed!.endsWith(".*") && (operator === "==" || operator === "!=");
    const version = parseVersion(isPrefix ? typed!.slice(0, -2) : typed!);
    if (version === null && operator !== "===") return null;
    found.push({ operator: operator!, text: typed!, version, isPrefix });
  }
  return found;
}

const startsWith = (version: Version, prefix: Version): boolean =>
  version.epoch === prefix.epoch && prefix.release.every((part, i) => (version.release[i] ?? 0) === part);

/** Whether a version is what a specifier asks for. */
export function satisfies(version: Version, { operator, text, version: asked, isPrefix }: Specifier): boolean {
  if (asked === null) return version.text.toLowerCase() === text.toLowerCase();
  const order = comparePublic(version, asked);
  const same = asked.local === null ? order === 0 : compareVersions(version, asked) === 0;
  const equal = isPrefix ? startsWith(version, asked) : same;
  const ofSameRelease =
    comparePublic({ ...version, pre: null, post: null, dev: null }, { ...asked, pre: null, post: null, dev: null }) ===
    0;
  const rules = table<() => boolean>({
    "===": () => version.text.toLowerCase() === text.toLowerCase(),
    "==": () => equal,
    "!=": () => !equal,
    "<=": () => order <= 0,
    ">=": () => order >= 0,
    // neither takes pre-releases, or later posts, of the version that it names
    "<": () => order < 0 && !(isPreRelease(version) && !isPreRelease(asked) && ofSameRelease),
    ">": () => order > 0 && !(version.post !== null && asked.post === null && ofSameRelease),
    "~=": () => order >= 0 && startsWith(version, { ...asked, release: asked.release.slice(0, -1) }),
  });
  return rules[operator]!();
}
