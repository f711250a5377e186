import type { CompiledOp } from "../src/ops/registry.ts";

/** The whole text of src/ops/operators.d.ts. */
export function operatorTypes(names: readonly string[], findOp: (name: string) => CompiledOp | undefined): string;
