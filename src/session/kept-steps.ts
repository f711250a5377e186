/**
 * Recognises caches of inference: memory that one step writes, and a later step extends or fills further.
 * No tensor says that it is a KV cache, so this goes by what a program does with it, where no graph is recorded:
 *
 * - inside of a module's forward, a tensor that an earlier call of the outermost module made, in the same module or one within
 *   it, is joined with new data, or some places of a tensor that was there before this call are written;
 * - outside of modules, a tensor that was joined with new data, or written in some places, is read by an operator that computes
 *   products, and then joined or written again.
 */

import type { CompiledOp } from "../ops/registry.ts";
import type { Args } from "../ops/row.ts";
import { isFloating } from "../tensor/dtype.ts";
import { Tensor } from "../tensor/tensor.ts";
import type { TraceBuilder } from "../trace/builder.ts";
import type { Category } from "../trace/model.ts";
import type { ProgramPoint } from "./memory.ts";

/** What a block may be taken for until it turns out to be a cache. */
const UNDECIDED: ReadonlySet<Category> = new Set(["temporary", "activation", "buffer", "input", "unknown"]);

export interface CacheMemory {
  categoryOf(block: number): Category;
  categorizeBlock(block: number, category: Category): void;
}

export class KeptSteps {
  private readonly trace: TraceBuilder;
  private readonly memory: CacheMemory;
  private readonly place: ProgramPoint;
  /** Event count when the running call of the outermost module began, and whether a graph was recorded then. */
  private callStart = -1;
  private callRecords = false;
  /** Blocks joined or written outside of modules: what each continues (-1: nothing), and whether a product read it since. */
  private readonly filled = new Map<number, { readonly before: number; read: boolean }>();

  constructor(trace: TraceBuilder, memory: CacheMemory, place: ProgramPoint) {
    this.trace = trace;
    this.memory = memory;
    this.place = place;
  }

  /** The outermost module's forward begins. */
  enterCall(recordsGraph: boolean): void {
    this.callStart = this.trace.eventCount;
    this.callRecords = recordsGraph;
  }

  leaveCall(): void {
    this.callStart = -1;
  }

  /** An operator ran and recorded no graph. */
  ran(op: CompiledOp, args: Args, result: unknown): void {
    const { row } = op;
    if (row.joins && result instanceof Tensor) this.joined(args, result);
    else if (op.mutates) {
      const target = args[op.args[0].name];
      if (target instanceof Tensor && (row.writesPart || target.nbytes < target.storage.nbytes)) this.written(target);
    }
  }

  /** Products are computed from these arguments. */
  multiplied(op: CompiledOp, args: Args): void {
    if (this.filled.size === 0 || this.callStart >= 0) return;
    for (const argument of op.tensorArgs)
      for (const value of [args[argument.name]].flat()) {
        const state = this.filled.get(blockOf(value));
        if (state) state.read = true;
      }
  }

  private joined(args: Args, result: Tensor): void {
    const made = result.storage.traceBlock;
    if (made < 0 || !isFloating(result.dtype)) return;
    for (const operand of [Object.values(args).find(Array.isArray) ?? []].flat()) {
      const block = blockOf(operand);
      if (block < 0 || block === made) continue;
      if (this.callStart < 0) {
        // the larger part is what was there before
        if (2 * (operand as Tensor).nbytes < result.nbytes) continue;
        if (this.filled.get(block)?.read) this.keepAll(made, block);
        this.filled.set(made, { before: block, read: false });
      } else if (this.fromEarlierCall(block) && this.trace.within(this.trace.madeIn(block), this.place.module)) {
        this.keep(block);
        this.keep(made);
      }
    }
  }

  private written(target: Tensor): void {
    const block = target.storage.traceBlock;
    if (block < 0 || !isFloating(target.dtype)) return;
    if (this.callStart >= 0) {
      if (this.fromEarlierCall(block)) this.keep(block);
    } else if (this.filled.get(block)?.read) this.keepAll(block);
    else if (!this.filled.has(block)) this.filled.set(block, { before: -1, read: false });
  }

  private fromEarlierCall(block: number): boolean {
    return !this.callRecords && this.trace.madeAt(block) < this.callStart;
  }

  /** The blocks, and all that the last of them continues. */
  private keepAll(...blocks: number[]): void {
    for (const block of blocks) this.keep(block);
    let state = this.filled.get(blocks.at(-1)!);
    while (state && state.before >= 0) {
      const { before } = state;
      this.keep(before);
      state = this.filled.get(before);
      this.filled.delete(before);
    }
  }

  private keep(block: number): void {
    if (UNDECIDED.has(this.memory.categoryOf(block))) this.memory.categorizeBlock(block, "kv_cache");
  }
}

const blockOf = (value: unknown): number => (value instanceof Tensor ? value.storage.traceBlock : -1);
