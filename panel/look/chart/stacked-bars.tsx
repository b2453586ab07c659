import { scaleBand, scaleLinear } from '@visx/scale';
import { Bar } from '@visx/shape';
import { ChartFrame, EDGE, Grid, Mark } from './frame.js';

export interface Series<K extends string> {
  readonly key: K;
  readonly name: string;
  /** Class of its colour, `ink-…`. */
  readonly ink: string;
}

export interface BarSlot<K extends string> {
  readonly label: string;
  readonly tick?: string | undefined;
  readonly values: Readonly<Record<K, number>>;
}

interface StackedBarsProps<K extends string> {
  readonly slots: readonly BarSlot<K>[];
  /** From the bottom to the top. */
  readonly series: readonly Series<K>[];
  /** The list behind a part of a bar, if there is one. */
  readonly linkOf: (key: K, slot: number) => string | undefined;
  readonly height: number;
}

const MIN_PART = 1.5;

/** One bar for each slot; each part of it leads to its list. */
export function StackedBars<K extends string>({ slots, series, linkOf, height }: StackedBarsProps<K>) {
  const totals = slots.map(({ values }) => series.reduce((sum, { key }) => sum + values[key], 0));
  const floor = height - EDGE.bottom;
  const y = scaleLinear({ domain: [0, Math.max(4, ...totals)], range: [floor, EDGE.top], nice: 3 });
  const values = y.ticks(3).filter(Number.isInteger);
  return (
    <ChartFrame height={height} isEmpty={totals.every((total) => total === 0)}>
      {(width) => {
        const x = scaleBand({
          domain: slots.map((_, n) => n),
          range: [EDGE.left, width - EDGE.right],
          paddingInner: 0.25,
        });
        const middle = (n: number) => x(n)! + x.bandwidth() / 2;
        return (
          <>
            <Grid
              width={width}
              height={height}
              values={values.map((value) => ({ at: y(value), text: value.toLocaleString('en') }))}
              times={slots.flatMap(({ tick }, n) => (tick ? [{ at: middle(n), text: tick }] : []))}
            />
            {slots.map((slot, n) =>
              partsOf(slot, series).map(({ key, name, ink, from, to }) => {
                const top = Math.min(y(to), y(from) - MIN_PART);
                return (
                  <Mark key={`${n} ${key}`} link={linkOf(key, n)}>
                    <title>{`${slot.label}: ${(to - from).toLocaleString('en')} ${name}`}</title>
                    <Bar
                      className={`mark ${ink}`}
                      x={x(n)!}
                      width={x.bandwidth()}
                      y={top}
                      height={y(from) - top}
                    />
                  </Mark>
                );
              }),
            )}
          </>
        );
      }}
    </ChartFrame>
  );
}

function partsOf<K extends string>({ values }: BarSlot<K>, series: readonly Series<K>[]) {
  let sum = 0;
  return series.flatMap((one) => {
    const from = sum;
    sum += values[one.key];
    return sum === from ? [] : [{ ...one, from, to: sum }];
  });
}
