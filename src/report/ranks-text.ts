/** The table of ranks: what each class of equal ranks needs, and the verdict of the worst. */

import { message, type Locale } from "../i18n/index.ts";
import type { ReportFacts, Verdict } from "./facts.ts";
import type { Painter } from "./paint.ts";
import { needsTable } from "./needs-table.ts";
import { wrap } from "./width.ts";

/** What is known of ranks that are alike. */
export interface RankFacts {
  /** As they are written: 0-3, 7. */
  readonly ranks: string;
  /** Those of them that did not run. */
  readonly taken: string;
  /** Those that did not run because the program does not tell them from this one. */
  readonly proven: string;
  /** Those that did not run and get other samples or random numbers. */
  readonly drawn: string;
  /** The rank whose report stands for all. */
  readonly rank: number;
  readonly facts: ReportFacts;
}

const ORDER: readonly Verdict[] = ["recorded", "unused", "fits", "tight", "not_finished", "does_not_fit"];

/** The class that decides: the worst verdict, and of equal ones the most memory. */
export function worstRank(ranks: readonly RankFacts[]): RankFacts {
  const weight = ({ facts }: RankFacts): number => ORDER.indexOf(facts.verdict);
  return ranks.reduce((worst, each) => {
    const more = weight(each) - weight(worst);
    if (more !== 0) return more > 0 ? each : worst;
    const reserved = each.facts.driver.expectedBytes - worst.facts.driver.expectedBytes;
    return (reserved || each.facts.allocated.peakBytes - worst.facts.allocated.peakBytes) > 0 ? each : worst;
  });
}

/** The verdict for all ranks; what is not known of some is no promise. */
export function verdictOfRanks(ranks: readonly RankFacts[], unknown: string): Verdict {
  const { verdict } = worstRank(ranks).facts;
  return verdict === "fits" && unknown !== "" ? "tight" : verdict;
}

export function ranksText(
  ranks: readonly RankFacts[],
  unknown: string,
  worldSize: number,
  { locale, painter }: { readonly locale: Locale; readonly painter: Painter },
): string {
  const worst = worstRank(ranks);
  const verdict = message(locale, `verdict_${verdictOfRanks(ranks, unknown)}`);
  const notes = ranks.flatMap(({ taken, proven, drawn, rank }) => {
    const said = proven === "" ? [] : [message(locale, "ranks_proven", { proven, rank })];
    if (drawn !== "") said.push(message(locale, "ranks_drawn", { drawn, rank }));
    return taken === "" ? said : [...said, message(locale, "ranks_taken", { taken, rank })];
  });
  if (unknown !== "") notes.push(message(locale, "ranks_unknown", { unknown }));
  return [
    painter.strong(message(locale, "ranks_title", { worldSize, verdict, rank: worst.rank })),
    ...needsTable(
      "label_ranks",
      ranks.map(({ ranks: name, facts }) => ({ name, facts })),
      locale,
    ),
    ...notes.flatMap((note) => wrap(`  ${note}`, painter.width, "  ")),
    "",
  ].join("\n");
}
