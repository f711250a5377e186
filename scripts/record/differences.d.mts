/** Of a program of a record and the simulator. */
export interface Outcome {
  readonly compared: number;
  readonly found: readonly {
    readonly name: string;
    readonly what: string;
    readonly recorded: unknown;
    readonly predicted: unknown;
  }[];
  readonly peaks: readonly { readonly recorded: number; readonly predicted: number; readonly reserved?: true }[];
}
/** Events of a trace in order, without segments; frees that follow each other sorted. */
export function ordered(text: string): string[];
export function compareRecord(
  run: (options: { script: string }) => Promise<unknown>,
  record: unknown,
  machine: { readonly gpu: string; readonly torch: string; readonly sitePackages: readonly string[] },
): Promise<Outcome>;
