/** What the first answer does not need, and answers of rarer questions: their code is fetched when they are first shown. */

import { later } from "../explain/later.tsx";

export const AlignmentView = later(async () => (await import("./alignment-view.tsx")).AlignmentView);
export const CurveCard = later(async () => (await import("./curve-card.tsx")).CurveCard);
export const HelpCard = later(async () => (await import("./help-card.tsx")).HelpCard);
export const LargestCard = later(async () => (await import("./help-card.tsx")).LargestCard);
export const LayoutCard = later(async () => (await import("./layouts/layout-card.tsx")).LayoutCard);
export const PipelineView = later(async () => (await import("./pipeline-view.tsx")).PipelineView);
export const ServingView = later(async () => (await import("./serving-view.tsx")).ServingView);
