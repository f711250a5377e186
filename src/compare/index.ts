/** A prediction held against what was recorded: which comparison two sources allow, and what came of it. */

export { learnFrom, type Learned } from "./calibration.ts";
export { CAUSES, type Cause, type CauseCode, type CauseItem, type CodeLocation } from "./causes.ts";
export { AFTER_LINE, type LineComparison, type LinePair } from "./lines.ts";
export { USED_BEFORE, type Figure } from "./figures.ts";
export { compareFigures, type CountPair, type FigurePair, type ReadingsComparison, type Source } from "./readings.ts";
export {
  compareWithRecording,
  MOMENTS,
  type ComparedFigure,
  type MomentName,
  type StretchChoice,
  type TraceComparison,
} from "./traces.ts";
