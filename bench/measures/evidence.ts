import type { EvidenceParameters, EvidenceReport } from '../library/evidence.program.js';
import { atMost, type Bench, type Figure, type Measure } from '../measure.js';
import { runProgram } from '../programs/program.js';
import { median } from '../statistics.js';
import { creates, openCustomer } from '../world.js';
import { often, ratioFigure, ratioInTurn } from './library.js';
import { costRatios, loadInTurn, ratios } from './service-load.js';
import { withService } from './with-service.js';

const ACCOUNTS = [50, 2_000];
/** A round of 100,000 events takes ten seconds. */
const ROUNDS = 3;
/** Jobs for each second of a round: some 100,000 logged events in all. */
const JOBS_PER_SECOND = 3_200;

/** The builder, audits, files and verifiers, without a service. */
async function library(bench: Bench, accounts: number): Promise<readonly Figure[]> {
  const given: EvidenceParameters = {
    ...{ dataDir: bench.folder(`evidence-${accounts}`), accounts, rounds: ROUNDS },
    jobs: bench.seconds * JOBS_PER_SECOND,
  };
  const found = await runProgram<EvidenceParameters, EvidenceReport>('library/evidence.program.js', given);
  const { events, hashing, builder, audit, verifyAccount, verifyJob } = found;
  const micros = (seconds: readonly number[]) => `${((median(seconds) * 1e6) / events).toFixed(1)} µs`;
  const over = (seconds: readonly number[], to: readonly number[]) => seconds.map((each, n) => each / to[n]!);
  const of = `${events} events of ${accounts} accounts`;
  const once = (name: string, unit: Figure['unit'], value: number, most: number, note: string): Figure => ({
    ...{ name: `evidence: ${name}`, unit, rounds: [value], target: atMost(most), note },
  });
  return [
    {
      ...{ name: `evidence: builder ÷ hashing, ${accounts} accounts`, unit: 'x', target: atMost(6) },
      rounds: over(builder, hashing),
      note: `CPU for ${of}: ${micros(builder)} an event, hashing ${micros(hashing)}`,
    },
    {
      ...{ name: `evidence: audit ÷ builder, ${accounts} accounts`, unit: 'x', target: atMost(2) },
      rounds: over(audit, builder),
      note: `CPU, ${micros(audit)} an event`,
    },
    {
      ...{ name: `evidence: verifying an account ÷ a job`, unit: 'x', target: atMost(6) },
      rounds: over(verifyAccount, verifyJob),
      note: `CPU of verify.mjs: ${found.accountEvents} events ${median(verifyAccount).toFixed(2)} s`,
    },
    once('hash store, bytes an event', 'bytes', found.hashBytes, 56, of),
    once('file of a job', 'bytes', found.jobBytes, 16_384, of),
    once('file of an account, bytes an event beside bodies', 'bytes', found.besideBodies, 200, of),
  ];
}

/** Two services in turn, one that neither builds nor publishes. */
async function createsBeside(bench: Bench): Promise<readonly Figure[]> {
  const off = { env: { EVIDENCE_INTERVAL_SECONDS: '0' } };
  return withService(bench.folder('evidence-on'), (on, generator) =>
    withService(
      bench.folder('evidence-off'),
      async (without) => {
        const run = async (service: typeof on) => {
          const requests = creates(await openCustomer(service));
          return { service, requests, expected: 201 };
        };
        const loaded = await loadInTurn(often(bench), generator, [await run(on), await run(without)]);
        const [built, bare] = [loaded[0]!, loaded[1]!];
        return [
          {
            ...ratioFigure('evidence: creates, of those without', {
              ...{ rates: ratios(built, bare), costs: costRatios(built, bare) },
            }),
            cost: built.cost,
          },
          {
            name: 'evidence: memory of its thread',
            unit: 'MB',
            rounds: [built.rssMb - bare.rssMb],
            note: 'RSS, with less without',
          },
        ];
      },
      off,
    ),
  );
}

export const evidence: Measure = {
  name: 'evidence',
  about:
    'the evidence log: builder, audit, files and verifiers; creates and lives beside it, of those without, by rates and by CPU-seconds',

  async run(bench) {
    const figures: Figure[] = [];
    for (const accounts of ACCOUNTS) figures.push(...(await library(bench, accounts)));
    const compared = { without: {}, with: { beside: 'evidence' } } as const;
    figures.push(await ratioInTurn(bench, 'evidence: lives, of those without', 'lives', compared));
    return [...figures, ...(await createsBeside(bench))];
  },
};
