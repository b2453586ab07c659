import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server that a queue stores its jobs in. */
export interface PeerServer {
  readonly url: string;
  /** Undefined for a server given by its URL, whose CPU time and writes are not known. */
  readonly pid?: number;
  stop(): Promise<void>;
}

const DEBIAN = '/usr/lib/postgresql';
const HOST = '127.0.0.1';
const STARTS_WITHIN_MS = 15_000;

/** `PEERS_POSTGRES_URL`, or Debian's newest PostgreSQL on a new folder; a text says what is missing. */
export async function startPostgres(folder: string): Promise<PeerServer | string> {
  const url = process.env.PEERS_POSTGRES_URL;
  if (url) return { url, stop: async () => undefined };
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const bin = versions
    .map((version) => path.join(DEBIAN, version, 'bin'))
    .find((one) => existsSync(`${one}/initdb`));
  if (!bin) return 'PostgreSQL: apt-get install postgresql, or PEERS_POSTGRES_URL';
  const user = unprivileged();
  const port = await freePort();
  const data = path.join(folder, 'data');
  if (user) chownSync(folder, user.uid, user.gid);
  const made = spawnSync(`${bin}/initdb`, ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8'], {
    ...user,
  });
  if (made.status !== 0) return `PostgreSQL: initdb failed: ${String(made.stderr)}`;
  const child = spawn(`${bin}/postgres`, ['-D', data, '-h', HOST, '-p', String(port), '-k', folder], {
    stdio: 'ignore',
    ...user,
  });
  const ready = () => spawnSync(`${bin}/pg_isready`, ['-h', HOST, '-p', String(port)]).status === 0;
  await started(child, ready);
  return server(child, `postgres://bench@${HOST}:${port}/postgres`);
}

/** `PEERS_REDIS_URL`, or `redis-server` that syncs each write; a text says what is missing. */
export async function startRedis(folder: string): Promise<PeerServer | string> {
  const url = process.env.PEERS_REDIS_URL;
  if (url) return { url, stop: async () => undefined };
  if (spawnSync('redis-server', ['--version']).status !== 0)
    return 'Redis: apt-get install redis-server, or PEERS_REDIS_URL';
  const port = await freePort();
  const options = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--bind', HOST];
  // A rewrite of the log in some rounds would slow them down and shrink the files of others.
  options.push('--auto-aof-rewrite-percentage', '0');
  const child = spawn('redis-server', ['--port', String(port), '--dir', folder, ...options], {
    stdio: 'ignore',
  });
  const ready = () =>
    spawnSync('redis-cli', ['-h', HOST, '-p', String(port), 'ping']).stdout.includes('PONG');
  await started(child, ready);
  return server(child, `redis://${HOST}:${port}`);
}

function server(child: ChildProcess, url: string): PeerServer {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    url,
    pid: child.pid!,
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

/** @throws Error if the server does not answer in time */
async function started(child: ChildProcess, ready: () => boolean): Promise<void> {
  const until = performance.now() + STARTS_WITHIN_MS;
  while (!ready()) {
    if (child.exitCode !== null || performance.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`${child.spawnfile} did not start`);
    }
    await sleep(100);
  }
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres']).stdout.toString());
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, HOST, () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** A folder beside that of the bench, which no other user may enter: PostgreSQL runs under a user of its own. */
export function serverFolder(name: string): string {
  return mkdtempSync(path.join(process.env.BENCH_DIR ?? tmpdir(), `rps-peers-${name}-`));
}
