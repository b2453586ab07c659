import { atMost, type Measure } from '../measure.js';
import type { ServiceProcess } from '../programs/service.js';
import { quantile } from '../statistics.js';
import { call, openCustomer, type Customer } from '../world.js';
import { withService } from './with-service.js';

const JOBS_PER_ROUND = 60;
/** Long enough for the poll to be waiting when the job is created. */
const ASLEEP_MS = 25;

/** Time from the client's request to the lease in the agent's answer. */
async function createdToLeased({ url }: ServiceProcess, customer: Customer): Promise<number> {
  const { key, deviceCredential, sessionId, printerIds } = customer;
  const poll = call<{ leases: { job_id: string }[] }>(url, deviceCredential, 'POST', '/agent/leases', {
    session_id: sessionId,
    wait_seconds: 25,
    max: 1,
  });
  await new Promise((resolve) => setTimeout(resolve, ASLEEP_MS));
  const start = performance.now();
  const created = create(url, key, printerIds[0]!);
  const { leases } = await poll;
  const ms = performance.now() - start;
  await created;
  await call(url, key, 'POST', `/svc-api-print-jobs/${leases[0]!.job_id}/cancel`, {});
  return ms;
}

let keys = 0;

async function create(url: string, key: string, printer_id: string): Promise<void> {
  const response = await fetch(`${url}/svc-api-print-jobs`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `bench-poll-${process.pid}-${keys++}`,
    },
    body: JSON.stringify({ printer_id, content: { type: 'text', encoding: 'utf8', data: 'Hello, printer' } }),
  });
  await response.text();
  if (response.status !== 201) throw new Error(`a job was answered with ${response.status}`);
}

async function round(service: ServiceProcess, customer: Customer): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < JOBS_PER_ROUND; n++) times.push(await createdToLeased(service, customer));
  return times;
}

export const longPoll: Measure = {
  name: 'long-poll',
  about: 'from sending a job to its lease by an idle long poll, one job after the other',

  run: (bench) =>
    withService(bench.folder('long-poll'), async (service) => {
      const customer = await openCustomer(service, 1);
      await round(service, customer);
      const all: number[][] = [];
      for (let n = 0; n < bench.rounds; n++) all.push(await round(service, customer));
      const name = 'created → leased by a long poll';
      return [
        {
          name: `${name}, p50`,
          unit: 'ms',
          rounds: all.map((times) => quantile(times, 0.5)),
          target: atMost(10),
        },
        {
          name: `${name}, p99`,
          unit: 'ms',
          rounds: all.map((times) => quantile(times, 0.99)),
          target: atMost(50),
        },
      ];
    }),
};
