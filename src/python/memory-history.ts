/** What `torch.cuda.memory._snapshot()` shows inside a program, as rows of numbers that Python makes dictionaries of. */

import type { Session } from "../session/session.ts";
import { historyEntries } from "../trace/allocator-history.ts";
import { EVENT_KINDS } from "../trace/model.ts";

export interface MemoryHistory {
  /** Each: index of the caller or -1, file, line, function. */
  readonly frames: readonly (readonly [parent: number, file: string, line: number, name: string])[];
  /** Each: action, address (of a failed request what the driver had left), bytes, stream, event, frame. */
  readonly entries: readonly (readonly [string, number, number, number, number, number])[];
  readonly segments: readonly {
    readonly fields: readonly [
      address: number,
      totalBytes: number,
      allocatedBytes: number,
      activeBytes: number,
      requestedBytes: number,
      stream: number,
      type: string,
      isExpandable: boolean,
    ];
    readonly poolId: readonly [number, number];
    readonly event: number;
    readonly frame: number;
    /** Each: address, bytes, requested bytes, state, event and frame of the allocation, or -1. */
    readonly blocks: readonly (readonly [number, number, number, string, number, number])[];
  }[];
  readonly settings: Readonly<Record<string, unknown>>;
}

export function memoryHistory(session: Session, first: number): MemoryHistory {
  const { memory, gpu, rules } = session;
  const trace = session.trace.finish({
    source: "simulated",
    program: "",
    gpu: gpu.id,
    capacityBytes: gpu.totalBytes,
    torch: rules.version,
  });
  const { events, blocks, failures } = trace;
  const births = new Map<number, { event: number; frame: number }>();
  for (const block of blocks) {
    if (block.freeEvent === -1) births.set(block.address, { event: block.allocEvent, frame: block.frame });
  }
  const segmentBirths = new Map<number, { event: number; frame: number }>();
  for (let event = 0; event < events.kind.length; event++) {
    const kind = EVENT_KINDS[events.kind[event]!];
    if (kind === "segment_alloc" || kind === "segment_map") {
      segmentBirths.set(events.address[event]!, { event, frame: events.frame[event]! });
    }
  }
  const freeAt = new Map(failures.map((failure) => [failure.event, failure.freeBytes]));
  const unknown = { event: -1, frame: -1 };
  return {
    frames: trace.frames.map(({ parent, file, line, name }) => [parent, file, line, name] as const),
    entries: Array.from(
      first < 0 ? [] : historyEntries(events, blocks, first),
      ({ action, address, bytes, stream, event, frame }) =>
        [action, action === "oom" ? (freeAt.get(event) ?? 0) : address, bytes, stream, event, frame] as const,
    ),
    segments: memory.allocators
      .flatMap((allocator) => allocator.snapshot())
      .map((segment) => ({
        fields: [
          segment.address,
          segment.totalBytes,
          segment.allocatedBytes,
          segment.activeBytes,
          segment.requestedBytes,
          segment.stream,
          segment.type,
          segment.isExpandable,
        ] as const,
        poolId: segment.poolId,
        ...(segmentBirths.get(segment.address) ?? unknown),
        blocks: segment.blocks.map(({ address, bytes, requestedBytes, state }) => {
          const { event, frame } = (state === "inactive" ? undefined : births.get(address)) ?? unknown;
          return [address, bytes, requestedBytes, state, event, frame] as const;
        }),
      })),
    settings: settingsOf(session),
  };
}

function settingsOf({ memory }: Session): Record<string, unknown> {
  const { config } = memory.allocator;
  return {
    PYTORCH_CUDA_ALLOC_CONF: config.text,
    max_split_size: config.maxSplitBytes === Infinity ? -1 : config.maxSplitBytes,
    garbage_collection_threshold: config.garbageCollectionThreshold,
    expandable_segments: config.expandableSegments,
    roundup_power2_divisions: Object.fromEntries(config.roundupDivisions.map((count, slot) => [2 ** slot, count])),
  };
}
