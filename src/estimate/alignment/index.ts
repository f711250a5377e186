/** Training by preferences and by rewards: phases of several programs on one card. */

export { estimateAlignment, type AlignmentEstimate, type PhaseShare } from "./phases.ts";
export { alignmentFits, alignmentNeeds, tryAlignmentChanges } from "./changes.ts";
export { alignmentProgram, REWARD_FILE, usualReference } from "./program.ts";
export { alignmentRefusal } from "./alignment-refusal.ts";
export {
  ALIGNMENT_TASKS,
  REFERENCES,
  SLEEP_LEVELS,
  TASKS,
  type AlignmentRecipe,
  type AlignmentTask,
  type PhaseId,
  type Reference,
  type SleepLevel,
} from "./tasks.ts";
