import { setTimeout as pause } from 'node:timers/promises';
import type { RequestSpec } from '../load/load-spec.js';
import { given, report } from '../programs/program.js';
import { quantile } from '../statistics.js';
import { creates, get, withDocument } from '../world.js';
import { ask, DEADLINE_MS, outcomeOf } from './ask.js';
import { note, type Counts } from './attack.js';
import type { LaneResult, VictimParameters, VictimReport } from './victim.js';

/** Separate process: sends requests at planned times, also while earlier ones are unanswered. */
const LARGE_DOCUMENT_BYTES = 200_000;
/** Requests of the first second are not measured, because V8 is still compiling this process. */
const WARM_UP_MS = 1_000;

interface Lane {
  readonly perSecond: number;
  readonly expected: string;
  readonly requests: readonly RequestSpec[];
}

const { url, customer, keys, seconds } = given<VictimParameters>();

/** createPrintJob with 300 bytes, for each key at one of the printers. */
const createsOf = (owned: readonly string[]) =>
  owned.map((key, n) => {
    const printerIds = [customer.printerIds[n % customer.printerIds.length]!];
    return creates({ ...customer, key, printerIds })[0]!;
  });

async function run({ perSecond, expected, requests }: Lane): Promise<LaneResult> {
  const outcomes: Counts = {};
  const times: number[] = [];
  const began = performance.now();
  const one = async (planned: number, request: RequestSpec) => {
    const outcome = await outcomeOf(ask(url, request));
    if (planned < began + WARM_UP_MS) return;
    note(outcomes, outcome);
    times.push(outcome === expected ? performance.now() - planned : DEADLINE_MS);
  };
  const sent: Promise<void>[] = [];
  for (let n = 0; n < (seconds + WARM_UP_MS / 1000) * perSecond; n++) {
    const planned = began + (n * 1000) / perSecond;
    await pause(Math.max(0, planned - performance.now()));
    sent.push(one(planned, requests[n % requests.length]!));
  }
  await Promise.all(sent);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), outcomes };
}

const large = createsOf(keys.large).map((request) => withDocument(request, 'raw', LARGE_DOCUMENT_BYTES));
const reads = keys.read.map((key) => get(key, '/svc-api-account'));
const [small, largeResult, read] = await Promise.all([
  run({ perSecond: 20, expected: '201', requests: createsOf(keys.small) }),
  run({ perSecond: 12, expected: '201', requests: large }),
  run({ perSecond: 5, expected: '200', requests: reads }),
]);
report<VictimReport>({ small, large: largeResult, read });
