/** What a rank tells of its groups and asks of the ranks that run beside it; a rank that runs alone is told so. */

import { type Communicator, ncclBytes, type OutsideBytes } from "../gpus/nccl.ts";
import type { Session } from "../session/session.ts";

// oxlint-disable-next-line typescript/no-explicit-any
type Functions = Record<string, (...args: any[]) => unknown>;

const positive = (value: unknown): number | null => (Number(value) > 0 ? Number(value) : null);

export function rankFunctions(session: Session): Functions {
  const groups = new Map<string, OutsideBytes>();
  return {
    ranksTogether: () => false,
    /** A group's communicator is there, or has connections to more peers: what NCCL takes for all of them is assumed anew. */
    communicator: (
      name: string,
      ranks: number,
      nodes: number,
      kind: string,
      buffer: number,
      most: number,
      nvls: number,
    ) => {
      const peers = kind === "collective" ? 0 : Number(kind);
      const of: Communicator = { ranks, nodes, collective: kind === "collective", peers };
      const settings = { bufferBytes: positive(buffer), mostChannels: positive(most), nvls: nvls !== 0 };
      groups.set(`${String(name)} ${of.collective}`, ncclBytes(of, session.gpu, settings));
      const sum = (key: keyof OutsideBytes): number => [...groups.values()].reduce((n, bytes) => n + bytes[key], 0);
      const args = {
        groups: new Set([...groups.keys()].map((key) => key.slice(0, key.lastIndexOf(" ")))).size,
        outsideLowBytes: sum("lowBytes"),
        outsideExpectedBytes: sum("expectedBytes"),
        outsideHighBytes: sum("highBytes"),
      };
      session.trace.assumption("nccl_buffers", args, -1);
    },
  };
}
