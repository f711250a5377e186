/** The list of recorded files that can be opened: a format exists by being listed here. */

import type { ForeignFormat } from "./foreign-format.ts";
import { estimateFile } from "./estimate-file.ts";
import { gpustatJson } from "./logs/gpustat-json.ts";
import { gpustatOutput } from "./logs/gpustat.ts";
import { KNOWN_TOOLS } from "./logs/known-tools.ts";
import { llamaCppLog } from "./logs/llama-cpp-log.ts";
import { memoryStats } from "./logs/memory-stats.ts";
import { memorySummary } from "./logs/memory-summary.ts";
import { memoryProfiler, mprofFile } from "./logs/memory-profiler.ts";
import { memoryTimeline, memoryTimelinePage, rawMemoryTimeline } from "./logs/memory-timeline.ts";
import { nsysMemoryEvents } from "./logs/nsys-memory-events.ts";
import { nvidiaSmiCsv } from "./logs/nvidia-smi-csv.ts";
import { nvidiaSmiMonitor } from "./logs/nvidia-smi-monitor.ts";
import { nvidiaSmiText, nvidiaSmiXml } from "./logs/nvidia-smi-query.ts";
import { nvidiaSmiTable } from "./logs/nvidia-smi-table.ts";
import { ollamaLog } from "./logs/ollama-log.ts";
import { oomTextFile } from "./logs/oom-text.ts";
import { profilerCsv } from "./logs/profiler-csv.ts";
import { pytorchMemlab } from "./logs/pytorch-memlab.ts";
import { sglangLog } from "./logs/sglang-log.ts";
import { bfcDump, tensorflowRecords } from "./logs/tensorflow-log.ts";
import { tensorrtLlmLog } from "./logs/tensorrt-llm-log.ts";
import { torchProfile } from "./logs/torch-profile.ts";
import { trainingLog } from "./logs/training-log.ts";
import { vllmLog } from "./logs/vllm-log.ts";
import { ownChromeTrace } from "./own-chrome-trace.ts";
import { readingsFile } from "./readings-file.ts";
import { memorySnapshotFile } from "./memory-snapshot-file.ts";
import { reportFile } from "./report-file.ts";
import { traceFile } from "./trace-file.ts";

export const FOREIGN_FORMATS: readonly ForeignFormat[] = [
  memorySnapshotFile,
  traceFile, // what `run -o` wrote
  reportFile, // what `run --json` printed
  ownChromeTrace, // what `run --export chrome=FILE` wrote
  readingsFile, // what `watch` and `record` wrote
  estimateFile, // what `estimate --json` printed
  memorySummary, // torch.cuda.memory_summary()
  memoryStats, // torch.cuda.memory_stats()
  torchProfile, // torch.profiler, export_chrome_trace
  memoryTimeline, // torch.profiler, export_memory_timeline
  rawMemoryTimeline,
  memoryTimelinePage,
  nvidiaSmiCsv, // nvidia-smi --query-gpu=... --format=csv
  nvidiaSmiTable, // nvidia-smi
  nvidiaSmiMonitor, // nvidia-smi dmon, pmon
  nvidiaSmiText, // nvidia-smi -q
  nvidiaSmiXml, // nvidia-smi -q -x
  gpustatJson, // gpustat --json
  gpustatOutput, // gpustat, GPUtil
  profilerCsv, // nvprof --print-gpu-trace --csv, nsys stats
  nsysMemoryEvents, // nsys export --type sqlite, one table of it
  vllmLog, // logs of serving engines
  sglangLog,
  tensorrtLlmLog,
  ollamaLog,
  llamaCppLog,
  bfcDump, // TensorFlow, JAX: out of memory
  tensorflowRecords, // tf.config.experimental.get_memory_info
  memoryProfiler, // @profile
  mprofFile, // mprof run
  pytorchMemlab, // LineProfiler
  oomTextFile, // out of memory, wherever it stands
  trainingLog, // anything with figures in it
  ...KNOWN_TOOLS, // files that are not read
];
