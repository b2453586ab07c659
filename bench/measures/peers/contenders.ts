import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import path from 'node:path';
import type { Bench } from '../../measure.js';
import type { LivesParameters, LivesReport } from '../../library/lives.program.js';
import { runProgram } from '../../programs/program.js';
import type { PeerServer } from './peer-servers.js';

/** Jobs that live at the same time, as many as the connections of the creates. */
export const IN_FLIGHT = 64;
/** Programs that import packages which the service does not have, so they are not compiled with it. */
const SOURCES = path.resolve('bench/peers');
/** They run here, with their packages, so that no source folder holds packages. */
const FOLDER = path.resolve('node_modules/.cache/peers');

/** One round of whole lives. */
export interface LivesResult {
  readonly perSecond: number;
  /** CPU-seconds for 1,000 jobs, of program and server. */
  readonly cpu: number;
  /** Growth of the stored data for each job. */
  readonly bytes: number;
  /** KB written to disk for each job. */
  readonly kbWritten: number;
}

export interface Contender {
  readonly name: string;
  lives(jobs: number): Promise<LivesResult>;
}

/** A queue with its variant. */
export interface PeerVariant {
  readonly name: string;
  readonly peer: 'bullmq' | 'pg-boss' | 'graphile-worker';
  readonly history: boolean;
  readonly batch?: boolean;
}

export const VARIANTS: readonly PeerVariant[] = [
  { name: 'BullMQ', peer: 'bullmq', history: false },
  { name: 'BullMQ + progress and log', peer: 'bullmq', history: true },
  { name: 'pg-boss', peer: 'pg-boss', history: false },
  { name: 'pg-boss, batches of 64', peer: 'pg-boss', history: false, batch: true },
  { name: 'pg-boss + history rows', peer: 'pg-boss', history: true },
  { name: 'graphile-worker', peer: 'graphile-worker', history: false },
  { name: 'graphile-worker + history rows', peer: 'graphile-worker', history: true },
];

/** Installs the peers with their own packages; a text says why it cannot. */
export function installPeers(bench: Bench): string | undefined {
  cpSync(SOURCES, FOLDER, { recursive: true });
  if (existsSync(path.join(FOLDER, 'node_modules'))) return undefined;
  bench.say(`  installing the peers: npm install in ${FOLDER}`);
  // Not `npm ci`, which fails if the registry lacks an optional package of another platform.
  const args = ['install', '--no-save', '--omit=dev', '--no-audit', '--no-fund'];
  const { status, stderr } = spawnSync('npm', args, { cwd: FOLDER });
  return status === 0 ? undefined : `npm install failed: ${String(stderr)}`;
}

export function ours(bench: Bench): Contender {
  let round = 0;
  return {
    name: 'ours',
    async lives(jobs) {
      const dataDir = bench.folder(`peers-ours-${round++}`);
      const given: LivesParameters = { dataDir, jobs, inFlight: IN_FLIGHT, rounds: 1 };
      const report = await runProgram<LivesParameters, LivesReport>('library/lives.program.js', given);
      const { bytesPerJob: bytes, kbPerJob: kbWritten } = report;
      return { perSecond: report.perSecond[0]!, cpu: report.costs[0]!.total, bytes, kbWritten };
    },
  };
}

export function contender(variant: PeerVariant, { url, pid }: PeerServer): Contender {
  const given = { ...variant, url, serverPid: pid, inFlight: IN_FLIGHT };
  return {
    name: variant.name,
    async lives(jobs) {
      const child = startPeer('lives.mjs', { ...given, jobs });
      let result: LivesResult | undefined;
      child.once('message', (message) => (result = message as LivesResult));
      const [code] = (await once(child, 'exit')) as [number | null];
      if (!result) throw new Error(`${variant.name} ended with ${code}`);
      return result;
    },
  };
}

export function startPeer(program: string, given: object): ChildProcess {
  return fork(path.join(FOLDER, program), [JSON.stringify(given)], { execArgv: [] });
}
