/** JSON documents of our own, as somebody hands them over: the checks that all of them need. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { field, isObject, type JsonObject } from "./json-text.ts";

/** Codes of what can be wrong with a kind of document. */
export interface DocumentCodes {
  readonly notJson: string;
  readonly newerSchema: string;
  readonly badField: string;
}

export function badField(codes: DocumentCodes, name: string): never {
  throw new DiagnosticError(diagnostic(codes.badField, { field: name }));
}

/** @throws {DiagnosticError} with one of the codes, where the text is no document of a known schema. */
export function ownDocument(text: string, codes: DocumentCodes, newestSchema: number): JsonObject {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new DiagnosticError(diagnostic(codes.notJson, { reason }));
  }
  if (!isObject(document)) return badField(codes, "document");
  const version = field(document, "schemaVersion");
  if (typeof version !== "number" || !Number.isSafeInteger(version)) return badField(codes, "schemaVersion");
  if (version > newestSchema) {
    throw new DiagnosticError(diagnostic(codes.newerSchema, { version, known: newestSchema }));
  }
  return document;
}
