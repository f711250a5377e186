/** Estimates of models from their configurations: recipes, programs, chains and what can be asked of them. */

export {
  catalogueModels,
  catalogueNames,
  configText,
  findModel,
  isCatalogueName,
  onlyStated,
  type CatalogueModel,
  type StatedSize,
} from "../models/catalogue.ts";
export { largestPart } from "./estimate-card.ts";
export { chainOf, fitOf, PARTS, type Chain, type Fit, type Interval, type Part, type PartId } from "./chain.ts";
export { cheapestOf, searchChanges, type SearchedChanges, type Tried } from "./change-search.ts";
export { cheapest, CHANGES, tryChanges, type Changes, type TriedChange } from "./changes.ts";
export { estimate, fits, lastLine, ROOMY_BYTES, type Estimate, type Measure, type MeasuredRun } from "./estimate.ts";
export { CHECKPOINTING, PRUNING } from "./model-changes.ts";
export { headOf, longestSequence, modelTypeOf, type Head } from "../models/heads.ts";
export { CONFIG_FILE, generated, leavesOutSteps, programOf, TEACHER_FILE } from "./program.ts";
export { loadsWeights } from "./installed.ts";
export { promptTokens } from "./picture-prompt.ts";
export * from "./recipe.ts";
export { explainFailure, refusalOf } from "./refusal.ts";
export { isTakenUnpacked, optionsBetween, settledRecipe, takenOptions } from "./settled.ts";
export { largest, rangeOf, sweep, type Largest, type Problem, type Sweep, type SweepPoint } from "./solve.ts";
export { METHODS, OPTIMIZERS, PRECISIONS, row, WEIGHTS } from "./techniques.ts";
export { parameterCounts, textbookBytes, textbookSheet, type SheetLine } from "./textbook.ts";
