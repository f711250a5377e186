/** What a report says of a trace alone, where nothing else of its run is known: a saved trace, or one read from elsewhere. */

import { findGpu, GPUS, type GpuRow } from "../gpus/catalogue.ts";
import { reportFacts, type ReportFacts } from "../report/index.ts";
import { EVENT_KINDS, type Trace } from "../trace/model.ts";
import { peakEvent, peakReservedBytes } from "../trace/queries.ts";

/** A GPU that the catalogue does not have: only what the trace says of it; its context is not known, so it adds nothing. */
function unknownGpu(trace: Trace): GpuRow {
  const context = { lowBytes: 0, expectedBytes: 0, highBytes: 0, mark: "recalled", evidence: "" } as const;
  return { ...GPUS[0]!, id: trace.gpu, name: trace.gpu, aliases: [], totalBytes: trace.capacityBytes, context };
}

export function traceFacts(trace: Trace): ReportFacts {
  const { allocatedBytes, reservedBytes, kind } = trace.events;
  const event = peakEvent(trace);
  const gpu = findGpu(trace.gpu);
  // a failed request that the program survived is followed by other events
  const failed = kind.length > 0 && EVENT_KINDS[kind.at(-1)!] === "oom";
  return reportFacts({
    status: failed ? "out_of_memory" : "ok",
    exitStatus: failed ? 1 : 0,
    trace,
    stats: {
      peakAllocatedBytes: allocatedBytes[event] ?? 0,
      peakReservedBytes: peakReservedBytes(trace),
      allocatedBytes: allocatedBytes.at(-1) ?? 0,
      reservedBytes: reservedBytes.at(-1) ?? 0,
      peakEvent: event,
    },
    gpu: gpu.ok ? gpu.value : unknownGpu(trace),
    torch: trace.torch,
  });
}
