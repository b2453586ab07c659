import type { Machine } from '../machine.js';
import type { Figure } from '../measure.js';
import type { Cost } from '../programs/usage.js';
import { median } from '../statistics.js';

const COLUMNS = [
  'measure',
  'median',
  'rounds',
  'target',
  '',
  'CPU-s/1,000 (main + writer)',
  '2 free cores',
  'RSS',
] as const;

export function machineLine({
  cores,
  model,
  memory_gb,
  kernel,
  node,
  load_before,
  fdatasync_ms,
}: Machine): string {
  return (
    `${cores} cores of ${model}, ${memory_gb} GB, Linux ${kernel}, Node ${node}, load before ${load_before}, ` +
    `fdatasync p50 ${fdatasync_ms.p50} ms p99 ${fdatasync_ms.p99} ms`
  );
}

/** Median, spread and target of each figure. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [...cellsOf(figure), figure.note ?? '']);
  const all = [[...COLUMNS, 'note'], ...rows];
  const widths = all[0]!.map((_, n) => Math.max(...all.map((row) => row[n]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellsOf({ name, unit, rounds, target, cost, generatorCost = 0, rssMb }: Figure): string[] {
  const value = median(rounds);
  return [
    name,
    shown(value, unit),
    rounds.length > 1 ? `${number(Math.min(...rounds))}–${number(Math.max(...rounds))}` : 'once',
    target ? `${target.at === 'least' ? '≥' : '≤'} ${shown(target.value, unit)}` : '',
    target ? (reached(value, target) ? 'yes' : 'NO') : '',
    cost ? `${cost.total.toFixed(3)} (${cost.main.toFixed(3)} + ${cost.writer.toFixed(3)})` : '',
    cost && unit === '/s' ? shown(freeCores(cost, generatorCost), unit) : '',
    rssMb === undefined ? '' : `${rssMb.toFixed(0)} MB`,
  ];
}

/**
 * Estimated rate on two idle cores, limited by the busiest thread and by both cores together. Extrapolated from CPU
 * time, for runs on a shared machine; not a result.
 */
export function freeCores({ total, main, writer }: Cost, generatorCost: number): number {
  return 1000 / Math.max(main, writer, (total + generatorCost) / 2);
}

export function reached(value: number, { at, value: wanted }: NonNullable<Figure['target']>): boolean {
  return at === 'least' ? value >= wanted : value <= wanted;
}

const shown = (value: number, unit: Figure['unit']) =>
  `${number(value)}${unit === '/s' || unit === '%' ? unit : ` ${unit}`}`;

const number = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);
