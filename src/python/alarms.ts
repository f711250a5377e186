/**
 * Timers of a program that send it signals: CPython asks between instructions which signal has come, and hears of those whose time is
 * over. What a sleep passes by is sent by Python (python/vramscope_linux/alarms.py).
 */

type Imports = Record<string, Record<string, unknown>>;

/** What CPython asks for the number of a signal, 0 for none. */
const ASKED = "_Py_CheckEmscriptenSignals_Helper";
const MILLISECONDS = 1e3;

interface Timer {
  dueMs: number;
  readonly intervalMs: number;
}

const { performance } = globalThis;
/** By the number of the signal; one table for each thread, as there is one interpreter in it. */
const timers = new Map<number, Timer>();

/** The signal is due after so many seconds, and then every `interval` seconds; 0 for never, or once. */
export function setAlarm(signal: number, seconds: number, interval: number): void {
  timers.delete(signal);
  if (seconds <= 0) return;
  timers.set(signal, { dueMs: performance.now() + seconds * MILLISECONDS, intervalMs: interval * MILLISECONDS });
}

/** A signal whose time is over, 0 for none. */
function due(): number {
  const now = performance.now();
  for (const [signal, timer] of timers) {
    if (timer.dueMs > now) continue;
    if (timer.intervalMs > 0) timer.dueMs = now + timer.intervalMs;
    else timers.delete(signal);
    return signal;
  }
  return 0;
}

/** What WebAssembly imports, with a question that knows of timers. */
export const withAlarms = (imports: Imports): Imports =>
  Object.fromEntries(
    Object.entries(imports).map(([module, functions]) => {
      // tables of addresses within WebAssembly are made as they are asked for
      const ask = module.startsWith("GOT.") ? null : functions[ASKED];
      if (typeof ask !== "function") return [module, functions];
      const answer = (): number => (ask as () => number)() || (timers.size === 0 ? 0 : due());
      return [module, { ...functions, [ASKED]: answer }];
    }),
  );
