/**
 * The clocks of a simulated program, which need not wait: sleeping takes no time, and every clock that CPython reads is later by what
 * the program slept. CPython reads them through functions that WebAssembly imports, so that `time`, `datetime` and the stamps of files agree.
 */

type Imports = Record<string, Record<string, unknown>>;
type Call = (...args: unknown[]) => unknown;

/** More would leave the numbers in which C counts time. */
const LONGEST_SECONDS = 2 ** 33 - 2 ** 31;
/** CLOCK_REALTIME is told by Date.now; others count what a process used. */
const CLOCK_MONOTONIC = 1;
const NANOSECONDS = 1e9;
const MILLISECONDS = 1e3;

/** One for each thread, as there is one interpreter in it. */
let sleptSeconds = 0;

/** The program has slept so long. */
export function sleepFor(seconds: number): void {
  if (seconds > 0) sleptSeconds = Math.min(LONGEST_SECONDS, sleptSeconds + seconds);
}

/** Date.now, by which files in memory are stamped and CLOCK_REALTIME is told. */
function delayDate(): void {
  const now = Date.now.bind(Date);
  Date.now = () => now() + Math.round(sleptSeconds * MILLISECONDS);
}

/** What WebAssembly imports, with clocks that know of sleep; `memory` is asked when it runs. */
export function withSleep(imports: Imports, memory: () => ArrayBufferLike): Imports {
  delayDate();
  const clocks: Record<string, (call: Call) => Call> = {
    emscripten_get_now: (call) => () => (call() as number) + sleptSeconds * MILLISECONDS,
    clock_time_get: (call) => (clock, precision, at) => {
      const status = call(clock, precision, at);
      if (sleptSeconds > 0 && status === 0 && clock === CLOCK_MONOTONIC) {
        const view = new DataView(memory(), (at as number) >>> 0, BigInt64Array.BYTES_PER_ELEMENT);
        view.setBigInt64(0, view.getBigInt64(0, true) + BigInt(Math.round(sleptSeconds * NANOSECONDS)), true);
      }
      return status;
    },
  };
  const withClocks = (functions: Record<string, unknown>): Record<string, unknown> => {
    const own = Object.entries(clocks).filter(([name]) => typeof functions[name] === "function");
    return { ...functions, ...Object.fromEntries(own.map(([name, wrap]) => [name, wrap(functions[name] as Call)])) };
  };
  return Object.fromEntries(
    Object.entries(imports).map(([module, functions]) => [
      module,
      // tables of addresses within WebAssembly, made as they are asked for
      module.startsWith("GOT.") ? functions : withClocks(functions),
    ]),
  );
}
