import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { projectionsFor } from '../../src/app/projections.js';
import { rpsAt } from '../kit/rps-at.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import { startTestService, type TestService, type TestServiceOptions } from '../kit/service.js';
import { openTestServerStores } from '../kit/server-stores.js';
import { within } from '../kit/polling.js';
import { createJob, openAccount, TestAgent, type TestAccount } from '../kit/world.js';
import { INSECURE, WebhookClerk } from './webhook-asking.js';
import { inProcess, openTestStores } from '../kit/stores.js';

export const projectionsUrl = pathToFileURL(resolve('src/app/configured-projections.ts')).href;

export const HOMES: Readonly<Record<'memory' | 'sqlite' | 'servers', Pick<TestServiceOptions, 'stores'>>> = {
  memory: { stores: (config, clock) => openTestStores({ projections: projectionsFor(config), clock }) },
  sqlite: {
    stores: ({ dataDir }, clock) =>
      openEmbeddedStores({ dataDir, clock, threads: inProcess, projectionsUrl }),
  },
  servers: { stores: openTestServerStores },
};
export type Home = keyof typeof HOMES;

export const startSource = (home: Home) => startTestService({ ...HOMES[home], env: INSECURE });

/** An instance for imports: no worker acts on events. */
export const startTarget = (home: Home, source?: TestService) =>
  startTestService({
    ...HOMES[home],
    env: { ROLE: 'api', ...INSECURE },
    ...(source && { clock: source.clock }),
  });

export interface Lived {
  readonly account: TestAccount;
  readonly agent: TestAgent;
  readonly printerId: string;
  /** Keeps waiting for its printer, and keeps its document. */
  readonly waiting: string;
  readonly printed: string;
}

/** More events than a page holds. */
const OTHER_JOBS = 30;

/** Jobs that are printed, leased, failed and waiting, and a webhook with a dead receiver. */
export async function live(service: TestService): Promise<Lived> {
  const account = await openAccount(service);
  const { agent, printerId } = await TestAgent.ready(service, account.accountId);
  const event_types = ['job.spooler_completed'];
  await new WebhookClerk(service, account.key).open('http://127.0.0.1:9/hook', { event_types });
  const create = async (more: object = {}) =>
    String((await createJob(service, account.key, printerId, more)).body.data!.job_id);
  const printed = await create();
  await agent.print();
  await create({ copies: 2 });
  const [lease] = await agent.lease(1);
  await agent.accept(lease!);
  await agent.report(lease!, 'rejected', { failure_code: 'NO_PAPER', failure_class: 'temporary' });
  await create();
  await agent.lease(1);
  const waiting = await create({ title: 'Größe' });
  for (let n = 0; n < OTHER_JOBS; n++) await create();
  await happened(service, 'DeliveryAttemptFailed');
  return { account, agent, printerId, waiting, printed };
}

/** Waits for the service's background work. */
export const happened = (service: TestService, type: string) =>
  within(10_000, async () => (await kept(service)).some((event) => event.type === type));

export async function exported(service: TestService, ...flags: string[]): Promise<string> {
  const { code, out, err } = await rpsAt(service, ['events', 'export', ...flags]);
  if (code !== 0) throw new Error(err);
  return out;
}

/** Data that an import must preserve: everything except the installation's own token. */
export async function kept(service: TestService): Promise<Omit<RecordedEvent, 'position'>[]> {
  const all = await service.stores.events.readAll({ max: 100_000 });
  return all
    .filter(({ stream }) => !stream.startsWith('operatorToken-'))
    .map(({ position: _, ...event }) => event);
}

export const DIFFERS = 'differs from its replay';

/** Digest of each view, which a replay must equal. Positions differ between stores, and so do digests. */
export async function digests(service: TestService): Promise<Record<string, string>> {
  const verified = await service.stores.maintenance.verify();
  return Object.fromEntries(
    verified.map(({ name, equal, live_digest }) => [name, equal ? live_digest : DIFFERS]),
  );
}
