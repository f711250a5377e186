/** Files that the command line hands to the page: `vramscope open --web` serves each of them once. */

import { route, replaceQuery } from "../state/route.ts";
import { fail, openFiles } from "./recordings.ts";

const TOKEN = /^[0-9a-f]{32}$/;
const MOST_FILES = 16;

function nameOf(response: Response): string {
  const [, encoded = ""] = /filename\*=UTF-8''(\S+)/.exec(response.headers.get("content-disposition") ?? "") ?? [];
  try {
    return decodeURIComponent(encoded) || "file";
  } catch {
    return "file";
  }
}

async function fetched(token: string): Promise<File | null> {
  const response = await fetch(`./handed/${token}`);
  if (!response.ok) return null;
  return new File([await response.blob()], nameOf(response));
}

/** Opens what the address names, and takes it out of the address: a second time there is nothing to fetch. */
export async function takeHandedFiles(): Promise<void> {
  if (route.value.page !== "open") return;
  const query = new URLSearchParams(route.value.query);
  const tokens = (query.get("handed") ?? "").split(",").filter((token) => TOKEN.test(token));
  if (tokens.length === 0) return;
  const device = query.get("device");
  const wanted = {
    device: device !== null && /^\d{1,3}$/.test(device) ? Number(device) : null,
    format: query.get("format"),
  };
  replaceQuery("");
  for (const token of tokens.slice(0, MOST_FILES)) {
    const file = await fetched(token).catch(() => null);
    if (file === null) fail({ gone: true });
    else openFiles([file], wanted);
  }
}
