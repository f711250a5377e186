/** What Python is told about the simulated release: its rules in Python's spelling, and the names that it does not have yet. */

import { findOp } from "../ops/registry.ts";
import type { OpRow } from "../ops/row.ts";
import { rulesFor, type TorchRules } from "../torch/changes.ts";
import { namesAfter } from "../torch/names.ts";
import { releaseNumber, type TorchVersion } from "../torch/releases.ts";
import { aliasesOf, numberedOps } from "./op-table.ts";

export interface PythonRelease {
  /** `major.minor` */
  readonly version: string;
  /** Every rule by its name in Python: `zero_grad_set_to_none`. */
  readonly rules: Readonly<Record<string, unknown>>;
  /** Qualified names that came later: `torch.optim.Muon`. */
  readonly missing: readonly string[];
}

/** `zeroGradSetToNone` is `zero_grad_set_to_none` in Python. */
export const pythonName = (rule: string): string => rule.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** @param changed rules of a recorder */
export function pythonRelease(version: TorchVersion, changed: Partial<TorchRules> = {}): PythonRelease {
  const rules = Object.entries({ ...rulesFor(version), ...changed }).map(
    ([rule, value]) => [pythonName(rule), value] as const,
  );
  return { version, rules: Object.fromEntries(rules), missing: [...operatorsAfter(version), ...namesAfter(version)] };
}

/** Where Python finds an operator, by what its row says. */
const HOLDERS = {
  both: ["torch", "torch.Tensor"],
  function: ["torch"],
  method: ["torch.Tensor"],
  nn: ["torch.nn.functional"],
  foreach: ["torch"],
  none: [],
};

/** Functions and methods of operators that a later release brought, with their other names: where every overload of the name came later. */
function operatorsAfter(version: TorchVersion): string[] {
  const isLater = ({ since }: OpRow): boolean => since !== undefined && releaseNumber(since) > releaseNumber(version);
  const ops = numberedOps.map((name) => findOp(name)!);
  const there = new Set(ops.filter(({ row }) => !isLater(row)).map(({ baseName }) => baseName));
  return ops
    .filter(({ row, baseName }) => isLater(row) && !there.has(baseName))
    .flatMap((op) =>
      HOLDERS[op.row.python ?? "both"].flatMap((holder) =>
        [op.baseName, ...aliasesOf(op)].map((name) => `${holder}.${name}`),
      ),
    );
}
