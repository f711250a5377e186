/** What the components of the chart share: their size, painting once a frame, and preparing a trace without holding up the page. */

import { effect, useSignal, type Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";
import type { ChartBase } from "./chart-data.ts";
import { createChart, type Chart } from "./chart-state.ts";
import type { Selection } from "./selection.ts";
import type { Translate } from "./words.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

/** The element's size, also after it or the page's zoom has changed; zero before it is laid out. */
export function useSize(element: RefObject<HTMLElement | null>): Signal<Size> {
  const size = useSignal<Size>({ width: 0, height: 0, ratio: 1 });
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return undefined;
    const read = (): void => {
      const next = { width: target.clientWidth, height: target.clientHeight, ratio: devicePixelRatio || 1 };
      const { width, height, ratio } = size.peek();
      if (next.width !== width || next.height !== height || next.ratio !== ratio) size.value = next;
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(target);
    addEventListener("resize", read);
    return () => {
      observer.disconnect();
      removeEventListener("resize", read);
    };
  }, []);
  return size;
}

/**
 * Runs `paint` in the next frame after any signal that `watch` reads has changed, and once at first. A page that is not shown
 * paints when it is shown again.
 */
export function usePainting(watch: () => void, paint: () => void, inputs: readonly unknown[]): void {
  const latest = useRef({ watch, paint });
  latest.current = { watch, paint };
  useEffect(() => {
    let frame = 0;
    const ask = (): void => {
      if (frame === 0) {
        frame = requestAnimationFrame(() => {
          frame = 0;
          latest.current.paint();
        });
      }
    };
    const stop = effect(() => {
      latest.current.watch();
      ask();
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, inputs);
}

/** So many events are prepared before the next frame is shown without anybody noticing. */
const AT_ONCE_EVENTS = 100_000;

/**
 * The chart of a selection, or null while it is prepared. A large trace is prepared after the page has been painted.
 * @param base prepared already, perhaps in a worker
 */
export function useChart(selection: Selection | null, t: Translate, base?: ChartBase): Chart | null {
  const isSmall = selection !== null && (base !== undefined || selection.trace.events.kind.length <= AT_ONCE_EVENTS);
  const make = (): Chart | null => (selection === null ? null : createChart(selection, t, base));
  const [state, setState] = useState(() => ({ selection, chart: isSmall ? make() : null }));
  const isCurrent = state.selection === selection;
  useEffect(() => {
    if (isCurrent && (state.chart !== null || selection === null)) return undefined;
    if (isSmall) {
      setState({ selection, chart: make() });
      return undefined;
    }
    const timer = setTimeout(() => setState({ selection, chart: make() }), 30);
    return () => clearTimeout(timer);
  }, [selection, base]);
  useEffect(() => () => state.chart?.dispose(), [state.chart]);
  return isCurrent ? state.chart : null;
}
