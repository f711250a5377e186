/** JSON from foreign files: bounded, and never more than plain data. */

import { ModelFileError, shown } from "./model-file-error.ts";

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** UTF-8 bytes as text; throws {@link ModelFileError} where they are not. */
export function utf8(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ModelFileError("model-file-not-json", { what: shown(what), reason: "not UTF-8" });
  }
}

const WORDS_OF_PYTHON = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g;

/** Python writes infinities and what is no number as words, which JSON does not know. */
function asPlainJson(text: string): string {
  if (!/Infinity|NaN/.test(text)) return text;
  return text.replaceAll(WORDS_OF_PYTHON, (word) => {
    if (word.startsWith('"')) return word;
    return word === "NaN" ? "null" : word.replace("Infinity", "1e999");
  });
}

/** Bytes of another kind leave their traces in what is decoded from them. */
const isText = (text: string): boolean => !/[\0\uFFFD]/.test(text);

/** The object that `text` holds. `what` names the text in errors. */
export function parseObject(text: string, what: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(asPlainJson(text));
  } catch (error) {
    const reason =
      text.trim() === ""
        ? "it is empty"
        : isText(text) && error instanceof Error
          ? shown(error.message)
          : "it is no text";
    throw new ModelFileError("model-file-not-json", { what: shown(what), reason });
  }
  if (!isObject(value)) throw new ModelFileError("model-file-not-json", { what: shown(what), reason: "not an object" });
  return value;
}

/** A field of the object's own; what objects inherit is not in the file. */
export function field(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
