/** Yes or no by a field of a configuration. */

import { flagField, type ModelConfig } from "../formats/model-config.ts";
import type { Choice } from "./decoder-families.ts";

export function chosenFor(choice: Choice, config: ModelConfig): boolean {
  if (typeof choice === "boolean") return choice;
  if (choice.unless !== undefined && flagField(config, choice.unless) === true) return false;
  const value = flagField(config, choice.field) ?? choice.or;
  return choice.not === true ? !value : value;
}
