/** How torchgen names the nodes of a graph: the operator's name in CamelCase, `Backward` and a number. */

import { isScalar } from "../tensor/iterator.ts";
import type { Args } from "./row.ts";

/** As Python's `str.title`: a letter behind anything else is large, `Log1P`. What a function calls `_forward` inside has the function's name. */
const camelCase = (name: string): string =>
  name
    .replace(/_forward$/, "")
    .replaceAll(/(^|[^a-z])([a-z])/gi, (_, before: string, letter: string) => before + letter.toUpperCase())
    .replaceAll("_", "");

/**
 * The node of an operator (tools/autograd/load_derivatives.py: create_differentiability_info). Overloads are numbered as derivatives.yaml
 * lists them, those in place too.
 */
export const nodeName = (name: string, number = 0): string => `${camelCase(name)}Backward${number}`;

/** The node of a row that is two overloads: their numbers where the operand is a tensor and where it is a number. */
export const nodeByOperand =
  (name: string, ofTensor: number, ofNumber: number, operand = "other") =>
  (a: Args): string =>
    nodeName(name, isScalar(a[operand]) ? ofNumber : ofTensor);
