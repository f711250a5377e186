/** Which processes belong to a command: it, and what it started, also when the one that started it is gone. */

import { readdirSync, readFileSync } from "node:fs";

export interface ProcessTree {
  /** Looks again which processes there are. */
  refresh(): void;
  has(pid: number): boolean;
}

/** Parent of a process; `/proc/PID/stat` has it behind the name in brackets, which may itself hold brackets. */
function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return -1;
  }
}

function processes(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Where there is no `/proc`, only the process itself belongs to it. */
export function processTree(root: number): ProcessTree {
  const members = new Set([root]);
  return {
    refresh: () => {
      const parents = new Map(processes().map((pid) => [Number(pid), parentOf(pid)]));
      let grew = true;
      while (grew) {
        grew = false;
        for (const [pid, parent] of parents) {
          if (members.has(pid) || !members.has(parent)) continue;
          members.add(pid);
          grew = true;
        }
      }
    },
    has: (pid) => members.has(pid),
  };
}
