/**
 * Pointer and wheel on the plot, as speedscope and Perfetto have them: wheel pans, Ctrl or pinch zooms, drag selects, Shift and drag
 * pans. Alt and wheel stretches heights.
 */

import { zoomed, panned, type View } from "./picture.ts";
import type { EventRange } from "./selection.ts";

export interface GestureTarget {
  /** The view, the number of events and the width of the plot in CSS pixels. */
  state(): { readonly view: View; readonly events: number; readonly left: number; readonly width: number };
  setView(view: View): void;
  /** Stretches heights around a place. */
  stretch(factor: number, y: number): void;
  /** Moves stretched heights, in CSS pixels. */
  lift(px: number): void;
  setRange(range: EventRange | null): void;
  /** Places are CSS pixels in the element. */
  hover(place: { x: number; y: number } | null): void;
  click(x: number, y: number): void;
  doubleClick(x: number, y: number): void;
}

/** Movements below it are a click. */
const CLICK_PX = 4;
const LINE_PX = 16;
const DOUBLE_TAP_MS = 350;

export function attachGestures(element: HTMLElement, target: GestureTarget): () => void {
  const pointers = new Map<number, { x: number; y: number }>();
  let drag: { kind: "range" | "pan"; x: number; y: number; lastY: number; view: View; moved: boolean } | null = null;
  let pinch: { distance: number; share: number; view: View } | null = null;
  let lastTap = { time: 0, x: 0 };

  const place = (event: { clientX: number; clientY: number }): { x: number; y: number } => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const shareAt = (x: number): number => {
    const { left, width } = target.state();
    return Math.min(1, Math.max(0, (x - left) / width));
  };
  const eventAt = (x: number): number => {
    const { view } = target.state();
    return view.from + shareAt(x) * (view.to - view.from);
  };

  const wheel = (event: WheelEvent): void => {
    const unit = event.deltaMode === 1 ? LINE_PX : event.deltaMode === 2 ? 400 : 1;
    const { view, events, width } = target.state();
    let next: View;
    if (event.ctrlKey || event.metaKey) {
      const step = Math.max(-120, Math.min(120, event.deltaY * unit));
      // browsers report a pinch on a touchpad as small wheel steps with Ctrl
      next = zoomed(view, Math.exp(step * (Math.abs(step) < 40 ? 0.01 : 0.003)), shareAt(place(event).x), events);
      event.preventDefault();
    } else if (event.altKey) {
      event.preventDefault();
      target.stretch(Math.exp(Math.max(-120, Math.min(120, event.deltaY * unit)) * 0.003), place(event).y);
      return;
    } else {
      const delta = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
      next = panned(view, (delta * unit) / width, events);
      // at its end the wheel scrolls the page again
      if (next.from !== view.from) event.preventDefault();
    }
    if (next.from !== view.from || next.to !== view.to) target.setView(next);
  };

  const startPinch = (): void => {
    const [a, b] = [...pointers.values()];
    if (a === undefined || b === undefined) return;
    drag = null;
    pinch = {
      distance: Math.max(10, Math.hypot(a.x - b.x, a.y - b.y)),
      share: shareAt((a.x + b.x) / 2),
      view: target.state().view,
    };
  };

  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const at = place(event);
    pointers.set(event.pointerId, at);
    element.setPointerCapture(event.pointerId);
    if (pointers.size === 2) {
      startPinch();
      return;
    }
    const kind = event.shiftKey || event.pointerType === "touch" ? "pan" : "range";
    drag = { kind, ...at, lastY: at.y, view: target.state().view, moved: false };
  };

  const move = (event: PointerEvent): void => {
    const at = place(event);
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, at);
    const { events, width } = target.state();
    if (pinch !== null && pointers.size >= 2) {
      const [a, b] = [...pointers.values()];
      const distance = Math.max(10, Math.hypot(a!.x - b!.x, a!.y - b!.y));
      target.setView(zoomed(pinch.view, pinch.distance / distance, pinch.share, events));
      return;
    }
    if (drag === null) {
      if (event.pointerType !== "touch") target.hover(at);
      return;
    }
    if (!drag.moved && Math.hypot(at.x - drag.x, at.y - drag.y) < CLICK_PX) return;
    drag.moved = true;
    target.hover(null);
    if (drag.kind === "pan") {
      target.setView(panned(drag.view, (drag.x - at.x) / width, events));
      target.lift(at.y - drag.lastY);
      drag.lastY = at.y;
    } else {
      const [a, b] = [eventAt(drag.x), eventAt(at.x)].sort((x, y) => x - y);
      const from = Math.max(0, Math.floor(a!));
      target.setRange({ from, to: Math.max(from + 1, Math.min(events, Math.ceil(b!))) });
    }
  };

  const up = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId)) return;
    const at = place(event);
    if (pinch !== null) {
      if (pointers.size < 2) pinch = null;
      return;
    }
    if (drag !== null && !drag.moved) {
      target.click(at.x, at.y);
      const isDouble = event.timeStamp - lastTap.time < DOUBLE_TAP_MS && Math.abs(at.x - lastTap.x) < 12;
      if (isDouble) target.doubleClick(at.x, at.y);
      lastTap = { time: isDouble ? 0 : event.timeStamp, x: at.x };
    }
    drag = null;
  };

  const cancel = (event: PointerEvent): void => {
    pointers.delete(event.pointerId);
    drag = null;
    pinch = null;
  };
  const leave = (): void => target.hover(null);

  const abort = new AbortController();
  const options = { signal: abort.signal };
  element.addEventListener("wheel", wheel, { passive: false, signal: abort.signal });
  element.addEventListener("pointerdown", down, options);
  element.addEventListener("pointermove", move, options);
  element.addEventListener("pointerup", up, options);
  element.addEventListener("pointercancel", cancel, options);
  element.addEventListener("pointerleave", leave, options);
  return () => abort.abort();
}
