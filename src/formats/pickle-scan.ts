/** The first pass over a pickle: refuses foreign opcodes and lengths, and finds which memo entries are ever fetched. */

import { PickleBytes, type PickleInteger } from "./pickle-bytes.ts";
import { PickleError } from "./pickle-error.ts";
import { CODE_OPCODES, OP, TYPE_OPCODES } from "./pickle-opcodes.ts";
import type { RangeReader } from "./range-reader.ts";

/** Says why an opcode is not read. */
export function refuse(opcode: number, offset: number): never {
  const code = CODE_OPCODES.get(opcode);
  if (code !== undefined) throw new PickleError("pickle-code-refused", { opcode: code, offset });
  const type = TYPE_OPCODES.get(opcode);
  if (type !== undefined) throw new PickleError("pickle-type-refused", { opcode: type, offset });
  throw new PickleError("pickle-opcode-unknown", { opcode, offset });
}

/** A memo index, checked. */
export function memoIndex(index: PickleInteger, input: PickleBytes): number {
  // No pickler numbers higher than it has written bytes.
  if (typeof index !== "number" || index < 0 || index >= input.sizeBytes) {
    throw new PickleError("pickle-bad-memo", { offset: input.offset, index: String(index) });
  }
  return index;
}

/** The memo entries that are fetched somewhere, as bits; also refuses foreign opcodes before anything is built. */
export function findFetched(file: RangeReader): Uint8Array {
  const input = new PickleBytes(file);
  let fetched = new Uint8Array(1024);
  const mark = (index: number): void => {
    const at = index >>> 3;
    if (at >= fetched.length) {
      const larger = new Uint8Array(Math.max(at + 1, fetched.length * 2));
      larger.set(fetched);
      fetched = larger;
    }
    fetched[at] |= 1 << (index & 7);
  };
  for (;;) {
    const { offset } = input;
    const opcode = input.byte();
    switch (opcode) {
      case OP.STOP:
        return fetched;
      case OP.BINGET:
        mark(memoIndex(input.byte(), input));
        break;
      case OP.LONG_BINGET:
        mark(memoIndex(input.uint32(), input));
        break;
      case OP.GET:
        mark(memoIndex(input.integerLine(), input));
        break;
      case OP.BININT1:
      case OP.BINPUT:
      case OP.PROTO:
        input.skip(1);
        break;
      case OP.BININT2:
        input.skip(2);
        break;
      case OP.BININT:
      case OP.LONG_BINPUT:
        input.skip(4);
        break;
      case OP.BINFLOAT:
        input.skip(8);
        break;
      case OP.LONG1:
      case OP.SHORT_BINUNICODE:
        input.skip(input.byte());
        break;
      case OP.LONG4:
      case OP.BINUNICODE:
        input.skip(input.uint32());
        break;
      case OP.BINUNICODE8:
        input.skip(input.uint64());
        break;
      case OP.FRAME:
        if (input.uint64() > input.left) throw new PickleError("pickle-truncated", { offset, wanted: file.sizeBytes });
        break;
      case OP.INT:
      case OP.LONG:
      case OP.FLOAT:
      case OP.PUT:
        input.line();
        break;
      case OP.UNICODE:
        input.escapedLine();
        break;
      case OP.MARK:
      case OP.POP:
      case OP.POP_MARK:
      case OP.DUP:
      case OP.NONE:
      case OP.APPEND:
      case OP.DICT:
      case OP.EMPTY_DICT:
      case OP.APPENDS:
      case OP.LIST:
      case OP.EMPTY_LIST:
      case OP.SETITEM:
      case OP.TUPLE:
      case OP.EMPTY_TUPLE:
      case OP.SETITEMS:
      case OP.TUPLE1:
      case OP.TUPLE2:
      case OP.TUPLE3:
      case OP.NEWTRUE:
      case OP.NEWFALSE:
      case OP.MEMOIZE:
        break;
      default:
        refuse(opcode, offset);
    }
  }
}
