/** Packages that somebody asks for: first what would be fetched, then the wheels, read and checked. */

import { isBuiltIn } from "./built-in.ts";
import type { PackageIndex } from "./index-client.ts";
import type { IndexFile } from "./index-page.ts";
import type { Requirement } from "./requirement.ts";
import { resolvePackages, type LeftOut, type Resolution } from "./resolve.ts";
import { readMetadata, wheelContent, type WheelContent } from "./wheel.ts";
import { zipEntries, type Inflate } from "./zip.ts";

const MOST_WHEEL_BYTES = 256 << 20;
/** Of a compiled wheel only Python files are taken: a large one would be fetched for nothing. */
const MOST_COMPILED_BYTES = 16 << 20;
const LIMITS = { entries: 50_000, bytes: 1 << 30, ordinaryBytes: 64 << 20, ratio: 100 };

export interface Wheel {
  readonly name: string;
  readonly file: string;
  readonly content: WheelContent;
}

/** Whether a wheel is taken at all, as far as the index says its size. */
const isTaken = ({ wheel, bytes }: IndexFile): boolean =>
  bytes === null || bytes <= (wheel?.isPure ? MOST_WHEEL_BYTES : MOST_COMPILED_BYTES);

export class Gatherer {
  private readonly index: PackageIndex;
  private readonly unpack: Inflate;
  private readonly wheels = new Map<string, Wheel | null>();

  constructor(index: PackageIndex, unpack: Inflate) {
    this.index = index;
    this.unpack = unpack;
  }

  /** What goes together and would be fetched. @throws DiagnosticError */
  async plan(roots: readonly Requirement[]): Promise<Resolution> {
    const { chosen, leftOut } = await resolvePackages(roots, {
      files: (name) => this.index.files(name),
      isBuiltIn,
      requirements: async (file) => {
        const text = await this.index.metadata(file);
        const metadata = text === null ? null : readMetadata(text);
        const name = file.file.slice(0, file.file.indexOf("-"));
        return metadata?.requirements ?? (await this.wheel(file, name))?.content.metadata.requirements ?? [];
      },
    });
    const without = new Map<string, LeftOut>(leftOut);
    for (const [name, file] of chosen) if (!isTaken(file)) without.set(name, "no-wheel");
    return { chosen: new Map([...chosen].filter(([name]) => !without.has(name))), leftOut: without };
  }

  /** The wheels of a plan; `onFetch` hears of each before it comes. @throws DiagnosticError */
  async fetch(
    { chosen, leftOut }: Resolution,
    onFetch: (file: IndexFile) => void,
  ): Promise<{ ready: Wheel[]; without: Map<string, LeftOut> }> {
    const without = new Map<string, LeftOut>(leftOut);
    const ready: Wheel[] = [];
    for (const [name, file] of chosen) {
      onFetch(file);
      const wheel = await this.wheel(file, name);
      if (wheel === null) without.set(name, "no-wheel");
      else ready.push({ ...wheel, name });
    }
    return { ready, without };
  }

  private async wheel(file: IndexFile, name: string): Promise<Wheel | null> {
    const known = this.wheels.get(file.url);
    if (known !== undefined) return known;
    const bytes = await this.index.file(file, file.wheel?.isPure ? MOST_WHEEL_BYTES : MOST_COMPILED_BYTES);
    const wheel =
      bytes === null
        ? null
        : {
            name,
            file: file.file,
            content: await wheelContent(zipEntries(bytes, file.file, LIMITS, this.unpack), file.file, name),
          };
    this.wheels.set(file.url, wheel);
    return wheel;
  }
}
