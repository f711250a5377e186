/** Which models cannot be trained by preferences or rewards. */

import { diagnostic, type Diagnostic } from "../../base/diagnostic.ts";
import type { ModelConfig } from "../../formats/model-config.ts";
import { headOf } from "../../models/heads.ts";
import { refusalOf } from "../refusal.ts";

/** Null: nothing is in the way. */
export function alignmentRefusal(config: ModelConfig, name: string): Diagnostic | null {
  const refusal = refusalOf(config, name);
  if (refusal !== null) return refusal;
  const { auto, encoderDecoder } = headOf(config);
  return auto === "AutoModelForCausalLM" && !encoderDecoder ? null : diagnostic("alignment_needs_text", { name });
}
