/** Why a model's file was not read: its weights' headers or its configuration. */

import type { DiagnosticArgs } from "../base/diagnostic.ts";

export type ModelFileErrorCode =
  /** Neither a safetensors file nor an index, a GGUF or a configuration. */
  | "model-file-unknown"
  /** It ends inside its header. */
  | "model-file-truncated"
  /** A length or a count in the header is above what any real file needs. */
  | "model-file-too-large"
  /** The header says something that cannot be. */
  | "model-file-bad-header"
  /** A tensor's entry says something that cannot be. */
  | "model-file-bad-tensor"
  /** Two tensors of a safetensors file have one name. */
  | "model-file-same-name"
  /** Data of two tensors of a safetensors file lie over each other, or apart. */
  | "model-file-overlap"
  | "model-file-hole"
  /** An element type that no known release writes. */
  | "model-file-unknown-type"
  /** A GGUF version that is not known, or of the other byte order. */
  | "model-file-version"
  /** Text that should be JSON is not. */
  | "model-file-not-json"
  /** A field of the configuration is needed and missing. */
  | "config-missing-field"
  /** A field of the configuration has a value that no model has. */
  | "config-bad-field"
  /** A shard or a part that the file speaks of is not there. */
  | "model-file-missing-part";

export class ModelFileError extends Error {
  override readonly name = "ModelFileError";
  readonly code: ModelFileErrorCode;
  readonly args: DiagnosticArgs;

  constructor(code: ModelFileErrorCode, args: DiagnosticArgs = {}) {
    super(`${code} ${JSON.stringify(args)}`);
    this.code = code;
    this.args = args;
  }
}

const SHOWN_CHARACTERS = 60;

/** A foreign text as a message may show it: short, on one line, without control characters. */
export function shown(value: unknown): string {
  let text: string;
  if (typeof value === "string") text = value.slice(0, SHOWN_CHARACTERS * 2);
  else if (typeof value === "number" || typeof value === "boolean" || value === null) text = String(value);
  else text = Array.isArray(value) ? "a list" : "an object";
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, "?");
  return plain.length > SHOWN_CHARACTERS ? `${plain.slice(0, SHOWN_CHARACTERS)}…` : plain;
}
