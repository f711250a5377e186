/** What groups of blocks are called in legends, tables and sentences. */

import type { Grouping } from "../../../src/trace/queries.ts";
import type { Group } from "./groups.ts";
import type { Translate } from "./words.ts";
import { CHART_EN, type ChartWord } from "./words-en.ts";

const isWord = (key: string): key is ChartWord => Object.hasOwn(CHART_EN, key);

/** A key of a grouping in words; paths are cut to their last part. */
export function keyName(by: Grouping, key: string | null, t: Translate): string {
  if (key === null) return t("group_none");
  const word = `${by}_${key}`;
  if (isWord(word)) return t(word);
  return by === "line" ? key.slice(key.lastIndexOf("/") + 1) : key;
}

export function groupName(by: Grouping, group: Group, t: Translate): string {
  if (group.kind === "rest") return t("group_rest", { count: group.keys });
  if (group.kind === "unnamed") return t(group.blocks > 0 ? "group_none" : "group_unnamed");
  return keyName(by, group.key, t);
}
