import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Machine } from '../machine.js';
import type { Figure } from '../measure.js';
import { median } from '../statistics.js';
import { freeCores, reached } from './table.js';

export interface Failure {
  readonly measure: string;
  readonly error: string;
}

/** Writes the run as JSON to bench/results; returns the file name. */
export function writeResults(
  machine: Machine,
  figures: readonly Figure[],
  failures: readonly Failure[],
  quick: boolean,
): string {
  const folder = fileURLToPath(new URL('../../../bench/results', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = path.join(folder, `${at.replaceAll(':', '-').slice(0, 19)}.json`);
  const measured = figures.map((figure) => {
    const value = median(figure.rounds);
    const { cost, target, generatorCost } = figure;
    return {
      ...figure,
      median: value,
      reached: target && reached(value, target),
      on_two_free_cores: cost && freeCores(cost, generatorCost ?? 0),
    };
  });
  writeFileSync(file, `${JSON.stringify({ at, quick, machine, figures: measured, failures }, null, 2)}\n`);
  return file;
}
