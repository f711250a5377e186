/**
 * Reads Python pickles of plain data (dict, list, tuple, str, int, float, bool, None; protocols 0 to 5) and runs nothing:
 * the opcodes that import or call are refused. One loop, no recursion, and memory stays near what the caller keeps:
 * a first pass finds which memo entries are ever fetched, so that the second keeps only those, and a folder may replace
 * a finished value by something smaller when it is put into its container, or read a dictionary by itself.
 */

import { PickleBytes } from "./pickle-bytes.ts";
import { PickleError } from "./pickle-error.ts";
import { OP } from "./pickle-opcodes.ts";
import { MemoMissed, PickleMemo } from "./pickle-memo.ts";
import { findFetched, memoIndex, refuse } from "./pickle-scan.ts";
import { bytesReader, type RangeReader } from "./range-reader.ts";
import { PickleDict, PickleList, PickleTuple, type PickleFolder, type PickleValue } from "./pickle-values.ts";

const HIGHEST_PROTOCOL = 5;

class PickleMachine {
  private readonly input: PickleBytes;
  private readonly folder: PickleFolder | null;
  private readonly memo: PickleMemo;
  private readonly stack: PickleValue[] = [];
  private readonly marks: number[] = [];

  constructor(file: RangeReader, folder: PickleFolder | null, fetched: Uint8Array | null) {
    this.memo = new PickleMemo(fetched);
    this.input = new PickleBytes(file);
    this.folder = folder;
  }

  run(): PickleValue {
    const { input, stack } = this;
    for (;;) {
      const { offset } = input;
      const opcode = input.byte();
      switch (opcode) {
        case OP.STOP:
          if (stack.length !== 1) this.badStack();
          return this.placed(stack[0]);
        case OP.PROTO: {
          const protocol = input.byte();
          if (protocol > HIGHEST_PROTOCOL) throw new PickleError("pickle-protocol", { protocol });
          break;
        }
        case OP.FRAME:
          input.uint64();
          break;
        case OP.MARK:
          this.marks.push(stack.length);
          break;
        case OP.POP:
          // On an empty stretch Python takes the mark away.
          if (this.marks.length > 0 && this.marks[this.marks.length - 1] === stack.length) this.marks.pop();
          else this.pop();
          break;
        case OP.POP_MARK:
          stack.length = this.mark();
          break;
        case OP.DUP:
          stack.push(this.top());
          break;
        case OP.NONE:
          stack.push(null);
          break;
        case OP.NEWTRUE:
          stack.push(true);
          break;
        case OP.NEWFALSE:
          stack.push(false);
          break;
        case OP.BININT1:
          stack.push(input.byte());
          break;
        case OP.BININT2:
          stack.push(input.uint16());
          break;
        case OP.BININT:
          stack.push(input.int32());
          break;
        case OP.LONG1:
          stack.push(input.integer(input.byte()));
          break;
        case OP.LONG4:
          stack.push(input.integer(input.uint32()));
          break;
        case OP.INT:
          stack.push(this.intLine());
          break;
        case OP.LONG:
          stack.push(input.integerLine());
          break;
        case OP.FLOAT:
          stack.push(input.floatLine());
          break;
        case OP.BINFLOAT:
          stack.push(input.float64());
          break;
        case OP.SHORT_BINUNICODE:
          stack.push(input.text(input.byte()));
          break;
        case OP.BINUNICODE:
          stack.push(input.text(input.uint32()));
          break;
        case OP.BINUNICODE8:
          stack.push(input.text(input.uint64()));
          break;
        case OP.UNICODE:
          stack.push(input.escapedLine());
          break;
        case OP.EMPTY_LIST:
          stack.push(new PickleList());
          break;
        case OP.EMPTY_DICT:
          if (this.folder?.takeDict?.(input, this.memo) === true) this.pushTaken(this.folder);
          else stack.push(new PickleDict());
          break;
        case OP.EMPTY_TUPLE:
          stack.push(new PickleTuple([]));
          break;
        case OP.TUPLE1:
        case OP.TUPLE2:
        case OP.TUPLE3:
          this.tuple(this.from(opcode - OP.TUPLE1 + 1));
          break;
        case OP.TUPLE:
          this.tuple(this.mark());
          break;
        case OP.LIST: {
          const from = this.mark();
          const list = new PickleList();
          this.append(list, from);
          stack.push(list);
          break;
        }
        case OP.DICT: {
          const from = this.mark();
          const dict = new PickleDict();
          this.setItems(dict, from);
          stack.push(dict);
          break;
        }
        case OP.APPEND:
          this.append(this.list(this.from(1)), stack.length - 1);
          break;
        case OP.APPENDS: {
          const from = this.mark();
          this.append(this.list(from), from);
          break;
        }
        case OP.SETITEM:
          this.setItems(this.dict(this.from(2)), stack.length - 2);
          break;
        case OP.SETITEMS: {
          const from = this.mark();
          const dict = this.dict(from);
          this.setItems(dict, from);
          // so that what the folder reads by itself stays in the order of the file
          if (this.folder?.isWhole?.(dict) === true) stack[from - 1] = this.placed(dict);
          break;
        }
        case OP.MEMOIZE:
          this.remember(this.memo.count);
          break;
        case OP.BINPUT:
          this.remember(memoIndex(input.byte(), input));
          break;
        case OP.LONG_BINPUT:
          this.remember(memoIndex(input.uint32(), input));
          break;
        case OP.PUT:
          this.remember(memoIndex(input.integerLine(), input));
          break;
        case OP.BINGET:
          stack.push(this.recall(input.byte()));
          break;
        case OP.LONG_BINGET:
          stack.push(this.recall(input.uint32()));
          break;
        case OP.GET:
          stack.push(this.recall(memoIndex(input.integerLine(), input)));
          break;
        default:
          refuse(opcode, offset);
      }
    }
  }

  private badStack(): never {
    throw new PickleError("pickle-bad-stack", { offset: this.input.offset });
  }

  /** Lowest index that may be taken off the stack without crossing a mark. */
  private get floor(): number {
    return this.marks.length === 0 ? 0 : this.marks[this.marks.length - 1];
  }

  private top(): PickleValue {
    if (this.stack.length <= this.floor) this.badStack();
    return this.stack[this.stack.length - 1];
  }

  private pop(): void {
    this.top();
    this.stack.pop();
  }

  private mark(): number {
    return this.marks.pop() ?? this.badStack();
  }

  /** Index of the `count`-th value from the top. */
  private from(count: number): number {
    const from = this.stack.length - count;
    return from < this.floor ? this.badStack() : from;
  }

  private list(from: number): PickleList {
    const list = from > this.floor ? this.stack[from - 1] : null;
    return list instanceof PickleList ? list : this.badStack();
  }

  private dict(from: number): PickleDict {
    const dict = from > this.floor ? this.stack[from - 1] : null;
    return dict instanceof PickleDict ? dict : this.badStack();
  }

  /** A value as it shall stand in its container. */
  private placed(value: PickleValue): PickleValue {
    if (this.folder === null || !(value instanceof PickleDict || value instanceof PickleList)) return value;
    if (value.folded === undefined) {
      // A value that holds itself meets itself here before it is finished: it stands for itself.
      value.folded = value;
      const folded = this.folder.fold(value);
      value.folded = folded;
      if (folded !== value) value.items = [];
    }
    return value.folded;
  }

  private append(list: PickleList, from: number): void {
    const { stack, folder } = this;
    if (list.folded !== undefined && list.folded !== list) this.badStack();
    for (let i = from; i < stack.length; i++) {
      const value = this.placed(stack[i]);
      if (folder?.append === undefined || !folder.append(list, value)) list.items.push(value);
    }
    stack.length = from;
  }

  private setItems(dict: PickleDict, from: number): void {
    const { stack } = this;
    if ((stack.length - from) % 2 !== 0) this.badStack();
    if (dict.folded !== undefined && dict.folded !== dict) this.badStack();
    for (let i = from; i < stack.length; i++) dict.items.push(this.placed(stack[i]));
    stack.length = from;
  }

  private tuple(from: number): void {
    const items = this.stack.slice(from).map((item) => this.placed(item));
    this.stack.length = from;
    this.stack.push(new PickleTuple(items));
  }

  /** What the folder read by itself; entries one after another may stand as one value. */
  private pushTaken(folder: PickleFolder): void {
    const { stack } = this;
    const top = stack.length > this.floor ? stack[stack.length - 1] : undefined;
    const value = folder.taken?.(top) ?? null;
    if (value !== null) stack.push(value);
  }

  private remember(index: number): void {
    this.memo.set(index, this.top());
  }

  private recall(index: number): PickleValue {
    const { memo, folder } = this;
    const value = memo.get(index);
    if (value !== undefined) return value;
    const list = memo.listOf(index);
    if (list >= 0 && folder?.listValue !== undefined) return folder.listValue(list);
    if (memo.mayHaveSkipped) throw new MemoMissed();
    throw new PickleError("pickle-bad-memo", { offset: this.input.offset, index: String(index) });
  }

  /** Protocol 0 and 1 write booleans as 00 and 01. */
  private intLine(): PickleValue {
    this.input.want(3);
    const { at, window } = this.input;
    const isBoolean =
      window[at] === 0x30 && (window[at + 1] === 0x30 || window[at + 1] === 0x31) && window[at + 2] === 0x0a;
    const value = this.input.integerLine();
    return isBoolean ? value === 1 : value;
  }
}

/** The value of a pickle, by two passes over it; throws {@link PickleError}. */
export function readPickle(pickle: Uint8Array | RangeReader, folder: PickleFolder | null = null): PickleValue {
  const file = pickle instanceof Uint8Array ? bytesReader(pickle) : pickle;
  return new PickleMachine(file, folder, findFetched(file)).run();
}

/**
 * The value of a pickle by one pass, which keeps what is remembered as far as that is little; throws {@link PickleError}, and
 * {@link MemoMissed} where two passes are needed, with a folder that has seen nothing yet.
 */
export function readPickleOnce(file: RangeReader, folder: PickleFolder): PickleValue {
  return new PickleMachine(file, folder, null).run();
}
