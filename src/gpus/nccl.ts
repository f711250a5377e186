/**
 * What NCCL takes from the driver for its communicators: buffers of connections, in closed form. How many channels connect the
 * GPUs depends on their topology, which a program does not show, so the result is an interval.
 */

import { KIB, MIB } from "../base/bytes.ts";
import type { GpuRow } from "./row.ts";

/** One group of ranks with a communicator of its own. */
export interface Communicator {
  readonly ranks: number;
  /** Nodes that the ranks lie on. */
  readonly nodes: number;
  /** Whether it ran collectives; one that only sends has connections to its peers alone. */
  readonly collective: boolean;
  /** Ranks with which this one exchanged tensors directly, by send, recv or all-to-all. */
  readonly peers: number;
}

/** What environment variables of NCCL say; null where they are not set. */
export interface NcclSettings {
  /** `NCCL_BUFFSIZE` */
  readonly bufferBytes: number | null;
  /** `NCCL_MAX_NCHANNELS` or `NCCL_MAX_CTAS` */
  readonly mostChannels: number | null;
  /** `NCCL_NVLS_ENABLE` is not 0. */
  readonly nvls: boolean;
}

export interface OutsideBytes {
  readonly lowBytes: number;
  readonly expectedBytes: number;
  readonly highBytes: number;
}

/** src/include/device.h and src/init.cc of NCCL: buffers of the protocols LL, LL128 and Simple, and the head of a connection. */
const LL_BYTES = 8 * 512 * 8 * 16;
const LL128_BYTES = 120 * 640 * 8 * 8;
const SIMPLE_BYTES = 4 * MIB;
const HEAD_BYTES = 4 * KIB;
/** Memory that processes share comes in such pieces. */
const SHARED_PIECE = 2 * MIB;
/** Fewest, usual and most channels: over PCIe, and over NVLink in nodes of the data centre. 28 fit the 342 MiB measured of two ranks. */
const CHANNELS = { low: 2, expected: 28, high: 32 } as const;
const PLAIN_EXPECTED = 4;
const PEER_CHANNELS = { low: 1, expected: 8, high: 32 } as const;
/** src/transport/nvls.cc: a ring of chunks for each head, to send and to receive. */
const NVLS_CHUNK = 128 * KIB * 8 * 2;
const NVLS_CHANNELS = { hopper: 16, newer: 24, overNodes: 32 } as const;
/** src/transport/net.cc: 64 channels of 16 chunks. */
const NETWORK_POOL = 64 * 16 * 512 * KIB;

/**
 * A communicator of one rank has no connections, and NCCL's kernels and its own tables all the same: measured on an H100 with
 * PyTorch 2.11, 176 MiB at the first collective, 656 MiB where the group was bound to its device (test/record/recorded).
 */
const ALONE: OutsideBytes = { lowBytes: 0, expectedBytes: 176 * MIB, highBytes: 656 * MIB };

const wholePieces = (bytes: number): number => Math.ceil(bytes / SHARED_PIECE) * SHARED_PIECE;

/** Both ends of one connection of one channel, in bytes. */
export function connectionBytes(bufferBytes: number = SIMPLE_BYTES): number {
  return wholePieces(HEAD_BYTES + LL_BYTES + LL128_BYTES + bufferBytes) + wholePieces(HEAD_BYTES);
}

export function ncclBytes(of: Communicator, gpu: GpuRow, settings: NcclSettings): OutsideBytes {
  if (of.ranks < 2) return ALONE;
  const each = connectionBytes(settings.bufferBytes ?? SIMPLE_BYTES);
  const most = (channels: number): number => Math.min(channels, settings.mostChannels ?? Infinity);
  const linked = gpu.segment === "datacenter";
  const rings = of.collective ? 1 : 0;
  const ring = (channels: number): number => rings * most(channels) * each;
  const direct = (channels: number): number => of.peers * most(channels) * each;
  const overNodes = of.nodes > 1 ? NETWORK_POOL : 0;
  const heads = Math.ceil(of.ranks / of.nodes);
  const nvlsChannels =
    of.nodes > 1 ? NVLS_CHANNELS.overNodes : gpu.sm >= 100 ? NVLS_CHANNELS.newer : NVLS_CHANNELS.hopper;
  const nvls =
    rings && settings.nvls && linked && gpu.sm >= 90 && heads > 2 ? most(nvlsChannels) * NVLS_CHUNK * heads : 0;
  return {
    lowBytes: ring(CHANNELS.low) + direct(PEER_CHANNELS.low),
    expectedBytes: ring(linked ? CHANNELS.expected : PLAIN_EXPECTED) + direct(PEER_CHANNELS.expected) + nvls,
    // a tree beside the ring takes as much again
    highBytes: 2 * ring(CHANNELS.high) + direct(PEER_CHANNELS.high) + nvls + overNodes,
  };
}
