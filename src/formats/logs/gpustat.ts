/** `gpustat` (also in a loop) and GPUtil's full table: memory of devices and, for gpustat, of processes. */

import { MIB } from "../../base/bytes.ts";
import { figure, timeOf, type Figure } from "./figures.ts";
import { lineLog } from "./line-log.ts";

// gpustat/core.py: `[0] name | 34°C, 12 % | 1234 / 81920 MB | user:command/pid(1224M)`; its MB and M are 2**20 (MB of core.py).
// GPUtil.py showUtilization(all=True): the columns total, used and free in `MB`, which are nvidia-smi's MiB.

const PROCESS = /([^\s()|]{1,80})\((\d{1,9})M\)/g;

/** `user:command/12`, `user/12`, `user`: a name and perhaps a process id. */
function processOf(text: string): { name: string; process: number } {
  const match = /^(.{1,80})\/(\d{1,9})$/.exec(text);
  return match === null ? { name: text, process: -1 } : { name: match[1]!, process: Number(match[2]) };
}

export const gpustatOutput = lineLog({
  id: "gpustat",
  title: "gpustat or GPUtil output",
  extensions: ["txt", "log"],
  claim: 0.88,
  rows: [
    {
      // the header of each sample: host, time, driver
      mark: "  ",
      form: /\s{2,}(?:[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d{2}:\d{2}:\d{2} \d{4})\s{2,}([\d.]{3,20})\s*$/y,
      gives: [{ note: "driver version" }],
      common: true,
    },
    {
      mark: "[",
      form: /\[(\d{1,3})\] ([^|]{0,80})\|[^|]{1,60}\|\s*(\d{1,9}) \/\s*(\d{1,9}) MB(?: \|(.{0,2000}))?/y,
      read: (match, { text, out, line }) => {
        const device = Number(match[1]);
        const place = { device, process: -1 };
        out.note(`GPU ${device}`, match[2]!.trim(), line);
        const used = figure(match[3]!, MIB);
        const total = figure(match[4]!, MIB);
        const seconds = timeOf(text);
        if (used !== null) out.sample("device_used", place, "", used, seconds, line);
        if (total !== null) out.fact("device_total", place, "total", total, false, line);
        for (const [, who, size] of (match[5] ?? "").matchAll(PROCESS)) {
          const { name, process } = processOf(who!);
          const value = figure(size!, MIB);
          if (value !== null) out.sample("process", { device, process }, name, value, seconds, line);
        }
      },
    },
    {
      // GPUtil's table of everything: id, name, serial, UUID || temperature, loads || total, used, free || ...
      mark: "||",
      form: /\|\|[^|]{1,30}\|[^|]{1,30}\|[^|]{1,30}\|\|\s*(\d{1,9})MB\s*\|\s*(\d{1,9})MB\s*\|\s*(\d{1,9})MB\s*\|\|/y,
      read: (match, { text, out, line }) => {
        const first = /^\|\s*(\d{1,3})\s*\|\s*([^|]{1,80}?)\s*\|/.exec(text.slice(0, 200));
        const place = { device: first === null ? -1 : Number(first[1]), process: -1 };
        if (first !== null) out.note(`GPU ${place.device}`, first[2]!, line);
        const [total, used, free] = [1, 2, 3].map((group): Figure | null => figure(match[group]!, MIB));
        if (total !== null) out.fact("device_total", place, "total", total!, false, line);
        if (used !== null) out.sample("device_used", place, "", used!, null, line);
        if (free !== null) out.sample("device_free", place, "", free!, null, line);
      },
    },
  ],
});
