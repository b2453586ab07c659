import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { SystemClock } from '../../src/app/system/system-clock.js';
import { given, report, runProgram } from '../programs/program.js';
import { costOf, memoryOf, usageOf, type Cost } from '../programs/usage.js';
import type { FloorParameters, FloorReport } from './floor.program.js';

export interface RebuildParameters {
  /** Holds events but no read models. */
  readonly dataDir: string;
  readonly rounds: number;
}

export interface RebuildReport {
  readonly events: number;
  /** Events per second during the start. */
  readonly atStart: number;
  /** Events per second while the service runs. */
  readonly live: readonly number[];
  readonly costs: readonly Cost[];
  /** After each round of `live`. */
  readonly floors: readonly FloorReport[];
  readonly rssMb: number;
}

const { dataDir, rounds } = given<RebuildParameters>();
const began = performance.now();
const stores = await openEmbeddedStores({
  dataDir,
  projectionsUrl: new URL('../../src/app/configured-projections.js', import.meta.url).href,
  clock: new SystemClock(),
});
const opened = performance.now();
const events = Number(await stores.events.head());
const views = await stores.maintenance.list();
const live: number[] = [];
const costs: Cost[] = [];
const floors: FloorReport[] = [];
for (let round = 0; round < rounds; round++) {
  const before = usageOf(process.pid);
  const start = performance.now();
  await Promise.all(views.map(({ name }) => stores.maintenance.rebuild(name)));
  live.push((events * 1000) / (performance.now() - start));
  costs.push(costOf(before, usageOf(process.pid), events));
  floors.push(await floor());
}
const { now: rssMb } = memoryOf(process.pid);
await stores.close();
report<RebuildReport>({ events, atStart: (events * 1000) / (opened - began), live, costs, floors, rssMb });

async function floor(): Promise<FloorReport> {
  const copyDir = mkdtempSync(join(dataDir, 'floor-'));
  try {
    return await runProgram<FloorParameters, FloorReport>('library/floor.program.js', { dataDir, copyDir });
  } finally {
    rmSync(copyDir, { recursive: true });
  }
}
