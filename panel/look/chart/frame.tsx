import { useDeferredValue, useRef, type ReactNode } from 'react';
import { useWidth } from '../use-width.js';

/** Pixels around what a chart draws. */
export const EDGE = { left: 52, right: 4, top: 8, bottom: 20 } as const;
const BETWEEN_TICKS = 56;
/** In a window that is not laid out. */
const MIN_WIDTH = 120;

export interface Tick {
  readonly at: number;
  readonly text: string;
}

interface ChartFrameProps {
  readonly height: number;
  /** Nothing happened in the shown time. */
  readonly isEmpty?: boolean;
  /** Draws into this width. */
  readonly children: (width: number) => ReactNode;
}

/**
 * The space of a chart, of a fixed height. What it draws is hidden from screen readers and the keyboard: the table beside
 * it has the same values and links.
 */
export function ChartFrame({ height, isEmpty = false, children }: ChartFrameProps) {
  const place = useRef<HTMLDivElement>(null);
  // Drawn in pieces: all charts of a page at once would hold up the person.
  const measured = useDeferredValue(useWidth(place));
  const width = Math.max(MIN_WIDTH, measured ?? MIN_WIDTH);
  return (
    <div className="chart" ref={place}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {measured !== undefined && children(width)}
        {isEmpty && (
          <text className="none" x={(EDGE.left + width) / 2} y={height / 2} textAnchor="middle">
            None in this time
          </text>
        )}
      </svg>
    </div>
  );
}

interface GridProps {
  readonly width: number;
  readonly height: number;
  /** From the lower to the upper one. */
  readonly values: readonly Tick[];
  /** From left to right; those without room are left out. */
  readonly times: readonly Tick[];
}

/** Lines for values, and times below. */
export function Grid({ width, height, values, times }: GridProps) {
  return (
    <>
      {values.map(({ at, text }) => (
        <g key={text}>
          <line className="grid-line" x1={EDGE.left} x2={width - EDGE.right} y1={at} y2={at} />
          <text x={EDGE.left - 6} y={at} dy="0.32em" textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {withRoom(times, width).map(({ at, text }) => (
        <text key={`${at} ${text}`} x={at} y={height - 4} textAnchor="middle">
          {text}
        </text>
      ))}
    </>
  );
}

interface MarkProps {
  readonly link: string | undefined;
  readonly children: ReactNode;
}

/** Something drawn, which leads to the list behind it; the table beside the chart has the same links for the keyboard. */
export const Mark = ({ link, children }: MarkProps) =>
  link === undefined ? (
    <g>{children}</g>
  ) : (
    <a href={`#${link}`} tabIndex={-1}>
      {children}
    </a>
  );

function withRoom(ticks: readonly Tick[], width: number): readonly Tick[] {
  const shown: Tick[] = [];
  for (const tick of ticks) {
    const before = shown.at(-1)?.at ?? -Infinity;
    const fits = tick.at >= EDGE.left && tick.at <= width - BETWEEN_TICKS / 3;
    if (fits && tick.at - before >= BETWEEN_TICKS) shown.push(tick);
  }
  return shown;
}
