/** The keys that ranks share: what torch.distributed's stores hold. Values are in hexadecimal. */

import type { RankQuestion } from "../python/rank-questions.ts";

type StoreQuestion = Extract<RankQuestion, { readonly kind: "set" | "add" | "compare" | "has" | "delete" | "get" }>;

export interface RankStore {
  get(key: string): string | null;
  answer(question: StoreQuestion): string;
}

const hex = (text: string): string => Buffer.from(text, "latin1").toString("hex");
const plain = (text: string): string => Buffer.from(text, "hex").toString("latin1");

export function rankStore(): RankStore {
  const keys = new Map<string, string>();
  return {
    get: (key) => keys.get(key) ?? null,
    answer: (question) => {
      const present = keys.get(question.key);
      switch (question.kind) {
        case "set":
          keys.set(question.key, question.value);
          return "";
        case "add": {
          // a counter is kept as its digits, as TCPStore keeps it
          const sum = Number(plain(present ?? "")) + Number(question.value);
          keys.set(question.key, hex(String(sum)));
          return String(sum);
        }
        case "compare":
          if (present === undefined && question.before !== "") return question.before;
          if (present !== undefined && present !== question.before) return present;
          keys.set(question.key, question.value);
          return question.value;
        case "has":
          return present === undefined ? "" : "1";
        case "delete":
          return keys.delete(question.key) ? "1" : "";
        case "get":
          return present ?? "";
      }
    },
  };
}
