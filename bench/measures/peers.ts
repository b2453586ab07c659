import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { LoadGenerator } from '../load/load.js';
import type { RequestSpec } from '../load/load-spec.js';
import { atLeast, atMost, type Bench, type Figure, type Measure } from '../measure.js';
import { ServiceProcess } from '../programs/service.js';
import { usageOf } from '../programs/usage.js';
import { creates, openCustomer } from '../world.js';
import { calibrated } from './peers/calibration.js';
import {
  contender,
  IN_FLIGHT,
  installPeers,
  ours,
  startPeer,
  VARIANTS,
  type Contender,
  type LivesResult,
  type PeerVariant,
} from './peers/contenders.js';
import { serverFolder, startPostgres, startRedis, type PeerServer } from './peers/peer-servers.js';

/** So many that the compiler has done its work in a quarter of them, which comes first and is not counted. */
const JOBS_PER_SECOND = 2_000;
const WARM_UP_SECONDS = 3;

type Results<T> = ReadonlyMap<string, readonly (T | undefined)[]>;

interface CreatesResult {
  readonly perSecond: number;
  readonly cpu: number;
}

/** Starts to take creates; `stop` ends it. */
interface CreateTarget {
  readonly name: string;
  start(): Promise<{
    url: string;
    requests: readonly RequestSpec[];
    cpu(): Promise<number>;
    stop(): Promise<void>;
  }>;
}

export const peers: Measure = {
  name: 'peers',
  about: 'whole lives and creates beside BullMQ, pg-boss and graphile-worker, round by round on this machine',

  async run(bench) {
    const missing = installPeers(bench);
    if (missing) {
      bench.say(`  left out: ${missing}`);
      return [];
    }
    const folders = [serverFolder('postgres'), serverFolder('redis')] as const;
    const found = [await startPostgres(folders[0]), await startRedis(folders[1])];
    const servers = found.map((one) => (typeof one === 'string' ? undefined : one));
    for (const one of found) if (typeof one === 'string') bench.say(`  left out: ${one}`);
    try {
      const measured = VARIANTS.flatMap((variant) => {
        const server = servers[variant.peer === 'bullmq' ? 1 : 0];
        return server ? [{ variant, server }] : [];
      });
      const lives = await livesOf(bench, [
        ours(bench),
        ...measured.map((one) => contender(one.variant, one.server)),
      ]);
      const created = await createsOf(bench, [
        oursOverHttp(bench),
        ...measured.filter(isServed).map((one) => peerOverHttp(one.variant, one.server)),
      ]);
      return [...livesFigures(lives), ...createsFigures(created)];
    } finally {
      await Promise.all(servers.map(async (server) => server?.stop()));
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Creates are compared with the usual settings; graphile-worker is between the other two. */
function isServed({ variant }: { readonly variant: PeerVariant }): boolean {
  return (
    !variant.batch && variant.peer !== 'graphile-worker' && !(variant.peer === 'bullmq' && variant.history)
  );
}

/** All contenders in turn, so that each round compares them under the same conditions. */
async function inTurn<C extends { readonly name: string }, T>(
  { rounds, say }: Bench,
  contenders: readonly C[],
  once: (contender: C) => Promise<T>,
): Promise<Results<T>> {
  const results = new Map(contenders.map(({ name }) => [name, [] as (T | undefined)[]]));
  for (let round = 0; round < rounds; round++) {
    for (const one of contenders) {
      const { result, isSteady } = await calibrated(() => once(one));
      if (!isSteady) say(`  ${one.name}, round ${round + 1}: not compared, the speed of the machine moved`);
      results.get(one.name)!.push(isSteady ? result : undefined);
    }
  }
  return results;
}

function livesOf(bench: Bench, contenders: readonly Contender[]): Promise<Results<LivesResult>> {
  return inTurn(bench, contenders, (one) => one.lives(bench.seconds * JOBS_PER_SECOND));
}

async function createsOf(bench: Bench, targets: readonly CreateTarget[]): Promise<Results<CreatesResult>> {
  const generator = new LoadGenerator();
  try {
    return await inTurn(bench, targets, async (one) => {
      const { url, requests, cpu, stop } = await one.start();
      try {
        const spec = { url, connections: IN_FLIGHT, requests, seconds: bench.seconds };
        await generator.run({ ...spec, seconds: WARM_UP_SECONDS }, 201);
        const before = await cpu();
        const { perSecond, count } = await generator.run(spec, 201);
        return { perSecond, cpu: (((await cpu()) - before) * 1000) / count };
      } finally {
        await stop();
      }
    });
  } finally {
    generator.stop();
  }
}

function oursOverHttp(bench: Bench): CreateTarget {
  let round = 0;
  return {
    name: 'ours',
    async start() {
      const service = await ServiceProcess.start(bench.folder(`peers-creates-${round++}`));
      const cpu = async () => [...usageOf(service.pid).threads.values()].reduce((sum, one) => sum + one, 0);
      return {
        url: service.url,
        requests: creates(await openCustomer(service)),
        cpu,
        stop: () => service.stop(),
      };
    },
  };
}

function peerOverHttp(variant: PeerVariant, { url: store, pid }: PeerServer): CreateTarget {
  return {
    name: variant.name,
    async start() {
      const child = startPeer('creates.mjs', { ...variant, url: store, serverPid: pid, inFlight: IN_FLIGHT });
      const [{ url }] = (await once(child, 'message')) as [{ url: string }];
      const body = JSON.stringify({ text: 'a'.repeat(300) });
      const request = {
        method: 'POST',
        path: '/jobs',
        headers: { 'content-type': 'application/json' },
        body,
      };
      const cpu = async () => {
        child.send({});
        const [answer] = (await once(child, 'message')) as [{ cpu: number }];
        return answer.cpu;
      };
      const stop = async () => {
        child.disconnect();
        await once(child, 'exit');
      };
      return { url, requests: [request], cpu, stop };
    },
  };
}

const steady = <T>(results: readonly (T | undefined)[]): T[] => results.filter((one) => one !== undefined);

function livesFigures(results: Results<LivesResult>): Figure[] {
  const rates = [...results].map(([name, rounds]): Figure => {
    const found = steady(rounds);
    const mean = (of: (result: LivesResult) => number) =>
      found.reduce((sum, one) => sum + of(one), 0) / found.length;
    return {
      name: `lives, ${name}`,
      unit: '/s',
      rounds: found.map(({ perSecond }) => perSecond),
      note: `CPU-s/1,000 ${mean(({ cpu }) => cpu).toFixed(2)}, ${mean(({ bytes }) => bytes).toFixed(0)} bytes and ${mean(({ kbWritten }) => kbWritten).toFixed(0)} KB written a job`,
    };
  });
  return [
    ...rates,
    ratio(results, 'lives, ours ÷ BullMQ with history', 'BullMQ + progress and log', rate, atLeast(2)),
    ratio(results, 'lives, ours ÷ pg-boss with history', 'pg-boss + history rows', rate, atLeast(5)),
    ratio(
      results,
      'CPU of lives, ours ÷ BullMQ with history',
      'BullMQ + progress and log',
      spent,
      atMost(0.6),
    ),
  ].filter(({ rounds }) => rounds.length > 0);
}

function createsFigures(results: Results<CreatesResult>): Figure[] {
  const rates = [...results].map(([name, rounds]): Figure => {
    const found = steady(rounds);
    const cpu = found.reduce((sum, one) => sum + one.cpu, 0) / found.length;
    const label = name === 'ours' ? name : `Fastify + ${name}`;
    return {
      name: `creates over HTTP, ${label}`,
      unit: '/s',
      rounds: found.map(rate),
      note: `CPU-s/1,000 ${cpu.toFixed(2)}`,
    };
  });
  const over = ratio(results, 'creates, ours ÷ Fastify + BullMQ', 'BullMQ', rate, atLeast(0.45));
  return [...rates, over].filter(({ rounds }) => rounds.length > 0);
}

const rate = ({ perSecond }: CreatesResult): number => perSecond;
const spent = ({ cpu }: CreatesResult): number => cpu;

/** Ours divided by a peer's, in each round in which both were measured on a steady machine. */
function ratio<T extends CreatesResult>(
  results: Results<T>,
  name: string,
  peer: string,
  of: (result: CreatesResult) => number,
  target: Figure['target'],
): Figure {
  const [mine, theirs] = [results.get('ours') ?? [], results.get(peer) ?? []];
  const rounds = mine.flatMap((one, n) => {
    const other = theirs[n];
    return one && other ? [of(one) / of(other)] : [];
  });
  return { name, unit: 'x', rounds, ...(target && { target }) };
}
