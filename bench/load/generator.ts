import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../statistics.js';
import { Connection } from './connection.js';
import { KEY_PLACE, type LoadResult, type LoadSpec, type RequestSpec } from './load-spec.js';

/** Separate process: runs the loads requested by its parent, one after the other. */
process.on('message', (spec: LoadSpec) => {
  run(spec).then(
    (result) => process.send!(result),
    (error: Error) => process.send!({ error: error.message }),
  );
});

let keys = 0;
const run_id = process.hrtime.bigint().toString(36);

async function run(spec: LoadSpec): Promise<LoadResult> {
  const { hostname, port, host } = new URL(spec.url);
  const prepared = spec.requests.map((request) => ({ ...request, head: headOf(request, host) }));
  const connections = Array.from({ length: spec.connections }, () => new Connection(hostname, Number(port)));
  const until = performance.now() + (spec.seconds ?? Infinity) * 1000;
  const most = spec.count ?? Infinity;
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  let sent = 0;
  const cpu = process.cpuUsage();
  const began = performance.now();
  const lane = async (connection: Connection) => {
    for (let start = began; start < until && sent < most;) {
      const turn = sent++;
      if (spec.perSecond !== undefined) {
        const due = began + (turn * 1000) / spec.perSecond;
        if (due >= until) return;
        start = await timeAfter(due);
      }
      const { head, body, freshKey, freshKeys } = prepared[turn % prepared.length]!;
      const line = freshKey ? `idempotency-key: ${freshKeyText()}\r\n` : '';
      const sentBody = freshKeys ? String(body).replaceAll(KEY_PLACE, paddedKey) : body;
      const status = await connection.send(`${head}${line}\r\n`, sentBody);
      const end = performance.now();
      times.push(end - start);
      statuses[status] = (statuses[status] ?? 0) + 1;
      start = end;
    }
  };
  await Promise.all(connections.map(lane)).finally(() => connections.forEach((one) => one.close()));
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    count: times.length,
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    max: quantile(times, 1),
    statuses,
    cpu: (user + system) / 1e6,
  };
}

/** Waits until a request of a paced load is due; resolves to the current time. */
async function timeAfter(due: number): Promise<number> {
  const early = due - performance.now();
  if (early > 0) await pause(early);
  return performance.now();
}

const freshKeyText = () => `bench-${run_id}-${keys++}`;
const paddedKey = () => freshKeyText().padEnd(KEY_PLACE.length, '-');

/** The request head without its final empty line. */
function headOf({ method, path, headers, body }: RequestSpec, host: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}\r\n`);
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}`;
}
