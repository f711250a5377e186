/** Memory over the batch or the length, with the capacity of each chosen card: simulated points, and a fit between them. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { GIB } from "../../../src/base/bytes.ts";
import { sizeOf, withSize, type SizeName } from "../../../src/estimate/index.ts";
import { controlsOf } from "./controls.ts";
import { lastValue, pathOf, scalesOf, valuesBetween, type CurvePoint, type Frame } from "./curve.ts";
import { withOption } from "./inputs.ts";
import { askedShown, inputs, longest, setInputs, simulated } from "./page-state.ts";
import { ask } from "./questions.ts";
import { fitError, pointsNow } from "./simulation.ts";
import { sizesOf, totalsAt } from "./size-fit.ts";
import { isAsking, share } from "./verdict.tsx";
import { estimateWords as t, labelOf, gib, grouped, roughly } from "./words.ts";

const SAMPLES = 24;

interface Curve {
  readonly name: SizeName;
  readonly current: number;
  readonly points: readonly CurvePoint[];
  readonly stops: readonly number[];
}

const sizeNames = (): readonly SizeName[] =>
  controlsOf(inputs.value, longest.value)
    .filter(({ stops }) => stops.length > 1)
    .map(({ name }) => name as SizeName);

function curveOf(wanted: SizeName): Curve | null {
  const now = askedShown.value;
  const [gpu] = simulated.value;
  if (now === null || "problem" in now || gpu === undefined || pointsNow.value.length === 0) return null;
  const control = controlsOf(inputs.value, longest.value).find(({ name }) => name === wanted);
  if (control === undefined || control.stops.length < 2) return null;
  const { asked } = now;
  const known = new Set(pointsNow.value.map(({ sizes }) => sizes.join()));
  const at = (value: number): CurvePoint => {
    const recipe = withSize(asked.recipe, wanted, value);
    const { allocatedBytes, reservedBytes } = totalsAt(pointsNow.value, sizesOf(recipe));
    return {
      value,
      allocatedBytes,
      processBytes: reservedBytes + gpu.context.expectedBytes,
      simulated: known.has(sizesOf(recipe).join()),
    };
  };
  const current = sizeOf(asked.recipe, wanted);
  const most = Math.max(...simulated.value.map(({ totalBytes }) => totalBytes));
  const last = lastValue(control.stops, current, most, (value) => at(value).processBytes);
  const kept = pointsNow.value
    .map((point) => point.sizes)
    .flatMap((sizes) => {
      const axis = sizesOf(asked.recipe).findIndex(
        (_, index) => sizesOf(withSize(asked.recipe, wanted, -1))[index] === -1,
      );
      return sizesOf(asked.recipe).every((size, index) => index === axis || sizes[index] === size)
        ? [sizes[axis]!]
        : [];
    });
  const values = valuesBetween(control.stops[0]!, last, SAMPLES, [current, ...kept]);
  return { name: wanted, current, points: values.map(at), stops: control.stops.filter((stop) => stop <= last) };
}

export function CurveCard() {
  const names = sizeNames();
  const chosen = useSignal<SizeName | null>(null);
  const name = chosen.value !== null && names.includes(chosen.value) ? chosen.value : names[0];
  const curve = name === undefined ? null : curveOf(name);
  if (name === undefined) return null;
  if (curve === null) return <Ghost />;
  const dots = curve.points.filter((point) => point.simulated);
  return (
    <section class="card" aria-labelledby="est-curve">
      <div class="est-head">
        <h2 id="est-curve">{t("curve_title")}</h2>
        <div class="est-switch" role="group" aria-label={t("curve_over")}>
          {names.map((other) => (
            <button key={other} type="button" aria-pressed={other === name} onClick={() => (chosen.value = other)}>
              {labelOf(other)}
            </button>
          ))}
        </div>
      </div>
      <Picture curve={curve} />
      <p class="soft">
        {t(dots.length === 1 ? "curve_legend_one" : "curve_legend", { count: dots.length })}
        {fitError.value === null ? "" : ` ${t("curve_error", { share: share(fitError.value) })}`}
      </p>
      <details>
        <summary>{t("curve_table")}</summary>
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{labelOf(name)}</th>
              <th scope="col" class="n">
                {t("number_allocated")}
              </th>
              <th scope="col" class="n">
                {t("number_process")}
              </th>
            </tr>
          </thead>
          <tbody>
            {dots.map((point) => (
              <tr key={point.value}>
                <th scope="row" class="num">
                  {grouped(point.value)}
                </th>
                <td class="n">{gib(point.allocatedBytes)}</td>
                <td class="n">{gib(point.processBytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          <button
            type="button"
            disabled={isAsking()}
            onClick={() => ask({ id: "sweep", size: name, values: curve.stops })}
          >
            {t("curve_more")}
          </button>
        </p>
      </details>
    </section>
  );
}

/** Keeps the place while nothing is simulated yet. */
const Ghost = () => (
  <section class="card" aria-labelledby="est-curve">
    <h2 id="est-curve">{t("curve_title")}</h2>
    <div class="est-ghost est-ghost-curve" aria-hidden="true" />
  </section>
);

const HEIGHT = 230;

function Picture({ curve }: { readonly curve: Curve }) {
  const box = useRef<HTMLDivElement>(null);
  // until it is measured: narrow enough for every screen
  const width = useSignal(240);
  const under = useSignal<number | null>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(
      ([entry]) => (width.value = Math.max(240, Math.floor(entry!.contentRect.width))),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const frame: Frame = { width: width.value, height: HEIGHT, left: 52, right: 14, top: 10, bottom: 26 };
  const last = curve.points.at(-1)!;
  const capacities = simulated.value;
  const most = Math.max(last.processBytes, ...capacities.map(({ totalBytes }) => totalBytes));
  const scales = scalesOf(frame, last.value, most, GIB);
  const nearest = (value: number): CurvePoint =>
    curve.points.reduce((best, point) => (Math.abs(point.value - value) < Math.abs(best.value - value) ? point : best));
  const marked = nearest(under.value ?? curve.current);
  const axis = { from: frame.left, to: frame.width - frame.right, base: frame.height - frame.bottom };
  const valueAt = (event: PointerEvent & { currentTarget: SVGSVGElement }): number => {
    const { left } = event.currentTarget.getBoundingClientRect();
    return ((event.clientX - left - frame.left) / (axis.to - axis.from)) * last.value;
  };
  const name = labelOf(curve.name);
  const said = t(marked.simulated ? "curve_point" : "curve_about", {
    name,
    value: grouped(marked.value),
    allocated: marked.simulated ? gib(marked.allocatedBytes) : roughly(marked.allocatedBytes),
    needed: marked.simulated ? gib(marked.processBytes) : roughly(marked.processBytes),
  });
  return (
    <div ref={box} class="est-picture">
      <p class="est-point num" aria-live="off">
        {said}
      </p>
      <svg
        width={frame.width}
        height={frame.height}
        role="img"
        aria-label={t("curve_label", {
          name,
          first: gib(curve.points[0]!.processBytes),
          last: gib(last.processBytes),
          value: grouped(last.value),
        })}
        onPointerMove={(event) => (under.value = valueAt(event))}
        onPointerLeave={() => (under.value = null)}
        onClick={(event) =>
          setInputs(
            withOption(
              inputs.value,
              curve.name,
              String(nearest(valueAt(event as unknown as PointerEvent & { currentTarget: SVGSVGElement })).value),
            ),
          )
        }
      >
        {scales.yTicks.map((bytes) => (
          <g key={bytes}>
            <line class="est-grid" x1={axis.from} x2={axis.to} y1={scales.y(bytes)} y2={scales.y(bytes)} />
            <text class="est-tick" x={axis.from - 6} y={scales.y(bytes) + 4} text-anchor="end">
              {bytes / GIB >= 1 || bytes === 0 ? Math.round((10 * bytes) / GIB) / 10 : (bytes / GIB).toFixed(2)}
            </text>
          </g>
        ))}
        <text class="est-tick" x={2} y={frame.height - 8}>
          GiB
        </text>
        {scales.xTicks.map((value) => (
          <text key={value} class="est-tick" x={scales.x(value)} y={axis.base + 17} text-anchor="middle">
            {value >= 1024 && value % 1024 === 0 ? `${value / 1024}k` : value}
          </text>
        ))}
        <path class="est-line est-line-low" d={pathOf(curve.points, scales, (point) => point.allocatedBytes)} />
        <path class="est-line" d={pathOf(curve.points, scales, (point) => point.processBytes)} />
        {curve.points
          .filter((point) => point.simulated)
          .map((point) => (
            <circle
              key={point.value}
              class="est-dot"
              cx={scales.x(point.value)}
              cy={scales.y(point.processBytes)}
              r={3.5}
            />
          ))}
        {capacities.map((gpu, index) => (
          <g key={gpu.id}>
            <line
              class="est-limit"
              x1={axis.from}
              x2={axis.to}
              y1={scales.y(gpu.totalBytes)}
              y2={scales.y(gpu.totalBytes)}
            />
            <text
              class="est-tick est-limit-name"
              x={axis.from + 6 + (index % 2) * 150}
              y={scales.y(gpu.totalBytes) + 14}
            >
              {gpu.name}
            </text>
          </g>
        ))}
        <line class="est-now" x1={scales.x(marked.value)} x2={scales.x(marked.value)} y1={frame.top} y2={axis.base} />
        <circle class="est-now-dot" cx={scales.x(marked.value)} cy={scales.y(marked.processBytes)} r={4.5} />
      </svg>
    </div>
  );
}
