/** Plans: which layout of a model on so many GPUs fits and wastes least. */

export type { PlanRequest } from "./candidates.ts";
export type { Cost } from "./cost.ts";
export { searchPlan, type Plan, type Planned } from "./search.ts";
