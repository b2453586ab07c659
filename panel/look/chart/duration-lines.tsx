import { scaleLinear, scaleLog } from '@visx/scale';
import { LinePath } from '@visx/shape';
import { duration } from '../times.js';
import { ChartFrame, EDGE, Grid, Mark } from './frame.js';

export interface DurationPoint {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds of each line. */
  readonly values: readonly [number, number];
}

/** A part of the time, and the list behind it, if there is one. */
export interface Band {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly tick?: string | undefined;
  readonly link: string | undefined;
}

interface DurationLinesProps {
  readonly points: readonly DurationPoint[];
  readonly bands: readonly Band[];
  readonly inks: readonly [string, string];
  readonly height: number;
}

const SMALLEST = 100;
const TICKS = [100, 1_000, 10_000, 60_000, 600_000, 3_600_000, 36_000_000, 86_400_000];
/** More would hide the line. */
const MAX_DOTS = 60;

const HOUR_MS = 3_600_000;

/** Undefined between points that are more than an hour apart. */
const withGaps = (points: readonly DurationPoint[]) =>
  points.flatMap((point, n) =>
    n > 0 && point.at - points[n - 1]!.at > HOUR_MS ? [undefined, point] : [point],
  );

const short = (ms: number) => (ms < 1_000 ? `${ms} ms` : duration(ms).replace('.0', ''));

/** Two lines on a scale of powers of ten. */
export function DurationLines({ points, bands, inks, height }: DurationLinesProps) {
  const most = Math.max(10 * SMALLEST, ...points.flatMap(({ values }) => values));
  const top = TICKS.find((tick) => tick >= most) ?? most;
  const y = scaleLog({ domain: [SMALLEST, top], range: [height - EDGE.bottom, EDGE.top], clamp: true });
  const ends = [bands[0]?.from ?? 0, bands.at(-1)?.to ?? 1];
  return (
    <ChartFrame height={height} isEmpty={points.length === 0}>
      {(width) => {
        const x = scaleLinear({ domain: ends, range: [EDGE.left, width - EDGE.right] });
        const values = TICKS.filter((tick) => tick <= top).map((tick) => ({
          at: y(tick),
          text: short(tick),
        }));
        const times = bands.flatMap(({ from, tick }) => (tick ? [{ at: x(from), text: tick }] : []));
        return (
          <>
            {bands.map(({ from, to, label, link }) => (
              <Mark key={from} link={link}>
                <title>{label}</title>
                <rect
                  className="band"
                  x={x(from)}
                  width={x(to) - x(from)}
                  y={EDGE.top}
                  height={height - EDGE.bottom - EDGE.top}
                />
              </Mark>
            ))}
            <Grid width={width} height={height} values={values} times={times} />
            {inks.map((ink, line) => (
              <g key={ink}>
                <LinePath
                  className={`line ${ink}`}
                  data={withGaps(points)}
                  defined={(point) => point !== undefined}
                  x={(point) => x(point!.at)}
                  y={(point) => y(point!.values[line]!)}
                />
                {points.length <= MAX_DOTS &&
                  points.map((point) => (
                    <circle
                      key={point.at}
                      className={`point ${ink}`}
                      cx={x(point.at)}
                      cy={y(point.values[line]!)}
                      r={2.5}
                    />
                  ))}
              </g>
            ))}
          </>
        );
      }}
    </ChartFrame>
  );
}
