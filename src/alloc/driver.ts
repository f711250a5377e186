/** Where segments lie: the driver's side of the address space. How much fits is the allocator's own account. */

import { MIB } from "../base/bytes.ts";

/** Supplies addresses. The default invents them; a replay supplies recorded ones. */
export interface DriverMemory {
  /** Address of a new segment (cudaMalloc). */
  segmentAddress(bytes: number, stream: number): number;
  /** Address of a reserved range for an expandable segment (cuMemAddressReserve). */
  rangeAddress(bytes: number, stream: number): number;
}

const BASE_ADDRESS = 0x7_0000_0000;
const ALIGNMENT = 2 * MIB;

/**
 * Ascending addresses, aligned to 2 MiB, with a gap after each segment. What real drivers do is not documented;
 * PyTorch compares addresses only to choose among free blocks of equal size, and ascending is what it usually sees.
 */
export class AscendingMemory implements DriverMemory {
  private nextAddress: number;

  constructor(baseAddress = BASE_ADDRESS) {
    this.nextAddress = baseAddress;
  }

  segmentAddress(bytes: number): number {
    const address = this.nextAddress;
    this.nextAddress += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT + ALIGNMENT;
    return address;
  }

  rangeAddress(bytes: number): number {
    return this.segmentAddress(bytes);
  }
}

/** Addresses given in advance, in the order of use; beyond them, addresses far above. */
export class RecordedMemory implements DriverMemory {
  private readonly addresses: number[] = [];
  private used = 0;
  private readonly beyond = new AscendingMemory(2 ** 48);

  /** A later segment lies here. */
  expect(address: number): void {
    this.addresses.push(address);
  }

  segmentAddress(bytes: number): number {
    return this.used < this.addresses.length ? this.addresses[this.used++] : this.beyond.segmentAddress(bytes);
  }

  rangeAddress(bytes: number): number {
    return this.segmentAddress(bytes);
  }
}

/** Addresses that a driver gives segments, from `from` to `to`, once the process has `after` of them. */
export interface AddressRange {
  readonly from: number;
  readonly to: number;
  readonly after: number;
}

/** A process's address space as it was recorded: each segment lies at the lowest address of the open ranges where it fits. */
export class RangedMemory implements DriverMemory {
  private readonly ranges: { next: number; readonly to: number; readonly after: number }[];
  private readonly beyond = new AscendingMemory(2 ** 48);
  private handedOut = 0;

  constructor(ranges: readonly AddressRange[]) {
    this.ranges = ranges.map(({ from, to, after }) => ({ next: from, to, after })).sort((a, b) => a.next - b.next);
  }

  segmentAddress(bytes: number): number {
    const length = Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    const range = this.ranges.find(({ next, to, after }) => after <= this.handedOut && to - next >= length);
    this.handedOut++;
    if (range === undefined) return this.beyond.segmentAddress(bytes);
    const address = range.next;
    range.next += length;
    return address;
  }

  rangeAddress(bytes: number): number {
    return this.segmentAddress(bytes);
  }
}
