/** Lines with memory figures that training programs and libraries print between others: one table for all of them. */

import { GIB, MIB } from "../../base/bytes.ts";
import type { Quantity } from "../../trace/readings.ts";
import { BINARY_UNITS, figure, timeOf } from "./figures.ts";
import { lineLog, type FoundLine, type Gives, type LogRow } from "./line-log.ts";
import { NOWHERE, type DeviceProcess, type ReadingsBuilder } from "./readings-builder.ts";

const sample = (quantity: Quantity, label: string, unit: number): Gives => ({ sample: quantity, label, unit });

// `[Rank 3] (after 10 iterations)`, `[rank3]:`, `[2024-05-06 07:08:09,123] ... [Rank 0]`
const RANK = /\[[Rr]ank[ :]?(\d{1,5})\]/;

function placeOf(text: string, out: ReadingsBuilder): DeviceProcess {
  const match = RANK.exec(text.slice(0, 200));
  if (match === null) return NOWHERE;
  out.once("log_rank_is_device");
  return { device: Number(match[1]), process: -1 };
}

/** `name: 12.3 GiB`, `name=12.3GB`: a figure that brings its own unit, powers of 1024. */
function withUnit(mark: string, quantity: Quantity, label: string, common = false): LogRow {
  const escaped = mark.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return {
    mark,
    form: new RegExp(`${escaped}["']?\\s*[:=|]?\\s*([\\d.,]{1,24})\\s*([KMGT]i?B|bytes|B)\\b`, "y"),
    read: (match, found) => unitSample(found, quantity, label, match[1]!, match[2]!),
    common,
  };
}

function unitSample(
  { text, out, place, line }: FoundLine,
  quantity: Quantity,
  label: string,
  size: string,
  unit: string,
) {
  const value = figure(size.replace(/[.,]$/, ""), BINARY_UNITS[unit.toLowerCase()]!);
  if (value !== null) out.sample(quantity, place, label, value, timeOf(text), line);
}

/** `'name': 12.3` of a dictionary or JSON, in `unit`. */
function entry(name: string, quantity: Quantity, label: string, unit: number): LogRow {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return {
    mark: name,
    form: new RegExp(`${escaped}["']?\\s*[:=]\\s*["']?([\\d.]{1,24})`, "y"),
    gives: [sample(quantity, label, unit)],
  };
}

// transformers/trainer_pt_utils.py: TrainerMemoryTracker's bytes, which metrics_format prints as whole MiB, rounded down
const MEM_DELTA: LogRow = {
  mark: "_mem_",
  form: /_mem_(gpu|cpu)_(alloc|peaked)_delta["']?\s*[=:]\s*(-?\d{1,16})(MB)?/y,
  read: (match, { text, out, line }) => {
    const [whole, where, what, size, unit] = match;
    const stage = /(\w{1,40})$/.exec(text.slice(0, match.index).slice(-40))?.[1] ?? "";
    const value = figure(size!, unit === undefined ? 1 : MIB);
    if (value === null) return;
    const rounded = unit === undefined ? value : { bytes: value.bytes, roundingBytes: MIB };
    const name = stage + /^\w+/.exec(whole)![0];
    out.fact(where === "cpu" ? "host" : "allocated", NOWHERE, name, rounded, what === "peaked", line);
  },
};

export const trainingLog = lineLog({
  id: "training-log",
  title: "training log",
  // Any other log may hold such a line.
  claim: 0.5,
  place: placeOf,
  rows: [
    {
      // megatron/training, report_memory: MB is 1024 * 1024
      mark: "memory (MB) | allocated: ",
      form: /memory \(MB\) \| allocated: ([\d.]+)\s*\| max allocated: ([\d.]+)\s*\| reserved: ([\d.]+)\s*\| max reserved: ([\d.]+)(?:\s*\| total device memory used: ([\d.]+))?/y,
      gives: [
        sample("allocated", "", MIB),
        sample("allocated", "max", MIB),
        sample("reserved", "", MIB),
        sample("reserved", "max", MIB),
        sample("device_used", "", MIB),
      ],
    },
    {
      // deepspeed/runtime/utils.py, see_memory_usage: GB is 1024 ** 3
      mark: "MA ",
      form: /MA ([\d.]+) GB\s+Max_MA ([\d.]+) GB\s+CA ([\d.]+) GB\s+Max_CA ([\d.]+) GB/y,
      gives: [
        sample("allocated", "", GIB),
        sample("allocated", "max", GIB),
        sample("reserved", "", GIB),
        sample("reserved", "max", GIB),
      ],
    },
    {
      mark: "CPU Virtual Memory:",
      form: /CPU Virtual Memory:\s+used = ([\d.]+) GB/y,
      gives: [sample("host", "used", GIB)],
    },
    MEM_DELTA,
    // fairseq: free GB of the device, 1024 ** 3
    entry("gb_free", "device_free", "", GIB),
    // mmcv and mmengine: `memory: 5123`, MB of 1024 * 1024; between other entries of a log line
    {
      mark: " memory: ",
      form: / memory: (\d{2,7})(?=[,\s]|$)(?! ?[KMG]i?B)/y,
      gives: [sample("allocated", "max", MIB)],
    },
    // detectron2: `max_mem: 5123M`; torchvision's references: `max mem: 5123`, both of 1024 * 1024
    { mark: "max_mem: ", form: /max_mem: (\d{1,9})M\b/y, gives: [sample("allocated", "max", MIB)] },
    { mark: "max mem: ", form: /max mem: (\d{1,9})(?=[,\s]|$)/y, gives: [sample("allocated", "max", MIB)] },
    // torchtitan: `memory: 15.32GiB(19.36%)`
    { mark: "memory: ", form: /memory:\s+([\d.]{1,12})GiB\([\d.]+%\)/y, gives: [sample("reserved", "max", GIB)] },
    // torchtune
    withUnit("GPU peak memory active", "allocated", "max active"),
    withUnit("GPU peak memory allocation", "allocated", "max"),
    withUnit("GPU peak memory alloc", "allocated", "max"),
    withUnit("GPU peak memory reserved", "reserved", "max"),
    entry("peak_memory_active", "allocated", "max active", GIB),
    entry("peak_memory_alloc", "allocated", "max", GIB),
    entry("peak_memory_reserved", "reserved", "max", GIB),
    // axolotl
    entry("memory/max_active (GiB)", "allocated", "max active", GIB),
    entry("memory/max_allocated (GiB)", "allocated", "max", GIB),
    entry("memory/device_reserved (GiB)", "reserved", "", GIB),
    entry("memory/max_mem_active(gib)", "allocated", "max active", GIB),
    entry("memory/max_mem_allocated(gib)", "allocated", "max", GIB),
    entry("memory/device_mem_reserved(gib)", "reserved", "", GIB),
    // verl
    entry("perf/max_memory_allocated_gb", "allocated", "max", GIB),
    entry("perf/max_memory_reserved_gb", "reserved", "max", GIB),
    entry("perf/cpu_memory_used_gb", "host", "used", GIB),
    // torch.cuda.memory_stats() as printed or saved
    ...(["allocated", "requested", "reserved"] as const).flatMap((quantity) => [
      entry(`${quantity}_bytes.all.current`, quantity, "", 1),
      entry(`${quantity}_bytes.all.peak`, quantity, "max", 1),
    ]),
    // Unsloth's notebooks, which divide by 1024 three times
    withUnit("Peak reserved memory", "reserved", "max"),
    {
      mark: "Max memory = ",
      form: /Max memory = ([\d.]{1,12}) GB/y,
      gives: [{ fact: "device_total", name: "Max memory", unit: GIB }],
    },
    {
      mark: " GB of memory reserved",
      form: / GB of memory reserved/y,
      read: (match, { text, out, place, line }) => {
        const size = /([\d.]{1,12})$/.exec(text.slice(0, match.index).slice(-12));
        const value = size === null ? null : figure(size[1]!, GIB);
        if (value !== null) out.sample("reserved", place, "", value, timeOf(text), line);
      },
    },
    {
      // axolotl to 0.8: `GPU memory usage after model load: 3.749GB (+0.168GB cache, +0.721GB misc)`
      mark: "memory usage ",
      form: /memory usage [^:]{1,60}: ([\d.]{1,12})GB \((?:\+([\d.]{1,12})GB cache)?(?:, )?(?:\+([\d.]{1,12})GB misc)?/y,
      gives: [sample("allocated", "", GIB), sample("other", "cached beyond that", GIB), sample("context", "", GIB)],
    },
    // people's own prints, with a unit behind
    ...["max_memory_allocated", "max memory allocated", "Max memory allocated", "Peak memory allocated"].map((mark) =>
      withUnit(mark, "allocated", "max"),
    ),
    ...["max_memory_reserved", "max memory reserved", "Max memory reserved", "Peak memory reserved"].map((mark) =>
      withUnit(mark, "reserved", "max"),
    ),
    ...["memory_allocated", "Memory allocated", "Allocated memory", "GPU memory allocated"].map((mark) =>
      withUnit(mark, "allocated", ""),
    ),
    ...["memory_reserved", "Memory reserved", "Reserved memory", "GPU memory reserved"].map((mark) =>
      withUnit(mark, "reserved", ""),
    ),
  ],
});
