/** A program with its options as a link: everything is in the part of the address behind `#`, which no server sees. */

import { MOST_CHARACTERS, pack, unpack } from "./packed-text.ts";
import { seal, unseal } from "./sealed-query.ts";

/** What a link of the playground holds. */
export interface SharedProgram {
  /** Name of the script. */
  readonly name: string;
  /** Id of an example that is shown unchanged, instead of its text; or null. */
  readonly example: string | null;
  readonly source: string;
  /** Program arguments as they are typed. */
  readonly args: string;
  readonly gpu: string;
  readonly torch: string;
  readonly temporaries: boolean;
  /** The event that is pinned once somebody runs the program, or -1. No link can ask for a run. */
  readonly event: number;
}

export type ReadLink =
  | { readonly state: "none" }
  | { readonly state: "whole"; readonly program: SharedProgram }
  /** The text is not in the link, or not whole. */
  | { readonly state: "truncated" | "altered" };

/** Null where the program is too long for a link. */
export async function writeLink(program: SharedProgram): Promise<string | null> {
  const { name, example, source, args, gpu, torch, temporaries, event } = program;
  const pairs = new URLSearchParams({ gpu, torch });
  if (args !== "") pairs.set("args", args);
  if (!temporaries) pairs.set("temporaries", "off");
  if (event >= 0) pairs.set("event", String(event));
  if (example !== null) pairs.set("example", example);
  else {
    const code = await pack(source);
    if (code === null) return null;
    pairs.set("name", name);
    pairs.set("code", code);
  }
  const query = seal(pairs.toString());
  return query.length > MOST_CHARACTERS ? null : query;
}

export async function readLink(sealed: string): Promise<ReadLink> {
  const { query, seal: state } = unseal(sealed);
  if (state === "truncated" || state === "altered") return { state };
  const pairs = new URLSearchParams(query);
  const [example, code] = [pairs.get("example"), pairs.get("code")];
  if (example === null && code === null) return { state: "none" };
  const source = code === null ? "" : await unpack(code);
  if (source === null) return { state: "altered" };
  const event = Number(pairs.get("event") ?? "-1");
  return {
    state: "whole",
    program: {
      name: (pairs.get("name") ?? "program.py").replaceAll(/[^\w.-]/g, "_").slice(0, 80),
      example: code === null ? example : null,
      source,
      args: (pairs.get("args") ?? "").slice(0, 1000),
      gpu: pairs.get("gpu") ?? "",
      torch: pairs.get("torch") ?? "",
      temporaries: pairs.get("temporaries") !== "off",
      event: Number.isSafeInteger(event) && event >= 0 ? event : -1,
    },
  };
}
