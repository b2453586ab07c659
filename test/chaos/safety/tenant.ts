import { randomUUID } from 'node:crypto';
import { HeartbeatBody } from '../../../src/api/agent/sessions/session.messages.js';
import { TestPartner } from '../../kit/partner.js';
import type { TestService } from '../../kit/service.js';
import { ALL_SCOPES, createJob, onePrinter, TestAgent, type Leased } from '../../kit/world.js';
import { newJob } from '../../surface/asking.js';
import { giveWebhooks } from './tenant-webhooks.js';

/** Values for the id-bearing inputs of a request, by input name. */
export type Ids = Readonly<Record<string, string>>;

/** One account with live and dead resources of every kind. */
export interface Tenant {
  readonly name: string;
  readonly partner: TestPartner;
  readonly accountId: string;
  /** Two keys with all scopes. */
  readonly keys: readonly [string, string];
  readonly agent: TestAgent;
  /** A computer without jobs, for requests that affect a session or an inventory. */
  readonly spare: TestAgent;
  readonly ids: Ids;
  /** Dead resources: a revoked computer, a removed printer, a cancelled job, an ended lease… */
  readonly dead: Ids;
  /** Of the documents of `ids`. */
  readonly contentHash: string;
  /** Ids used instead of those of `ids`, by operation. */
  readonly special: Readonly<Record<string, Ids>>;
  /** First and last position of this tenant's events, inclusive. */
  readonly span: readonly [from: bigint, to: bigint];
}

const printers = [onePrinter, { ...onePrinter, printer_key: 'till-2', name: 'Till 2', is_default: false }];

/** Builds the account of a partner on an INSECURE service; `name` makes its business ids unique. */
export async function furnish(service: TestService, partner: TestPartner, name: string): Promise<Tenant> {
  const from = BigInt((await service.stores.events.head()) ?? 0) + 1n;
  const external_id = `customer of ${name}`;
  const accountId = String((await partner.provision(external_id, `Shop ${name}`)).body.data!.account_id);
  const keys: [string, string] = [await keyOf(service, accountId), await keyOf(service, accountId)];
  const devices = await enrolAll(service, partner, accountId, name);
  const work = await giveWork(service, partner, { name, accountId, key: keys[0], ...devices });
  const webhooks = await giveWebhooks(service, keys[0], name);
  const cursors = await cursorsOf(partner, accountId);
  await introduce(devices.agent);
  const { agent, spare, printerId, revoked, removedPrinterId, oldSession } = devices;
  const own = {
    account_id: accountId,
    device_id: agent.computerId,
    computer_id: agent.computerId,
    printer_id: printerId,
    printer_key: onePrinter.printer_key,
    session_id: agent.sessionId,
    start_id: randomUUID(),
    installation_id: agent.installationId,
    enrollment_token: await tokenOf(service, accountId),
    external_id,
    cursor: cursors['listJobs']!,
  };
  const dead = {
    ...own,
    account_id: await closedAccount(partner),
    enrollment_token: await usedToken(service, accountId),
    device_id: revoked.computerId,
    computer_id: revoked.computerId,
    printer_id: removedPrinterId,
    session_id: oldSession,
    installation_id: revoked.installationId,
    ...work.dead,
    ...webhooks.dead,
  };
  const special = {
    ...specialOf(name, cursors, work, spare),
    updateWebhook: { url: webhooks.anotherUrl },
  };
  const to = BigInt((await service.stores.events.head())!);
  const ids = { ...own, ...work.ids, ...webhooks.ids };
  const { contentHash } = work;
  return { name, partner, accountId, keys, agent, spare, ids, dead, contentHash, special, span: [from, to] };
}

const queueOf = (name: string) => `queue of ${name}`;

type Work = Awaited<ReturnType<typeof giveWork>>;

const specialOf = (name: string, cursors: Ids, work: Work, spare: TestAgent): Tenant['special'] => ({
  listDevices: { cursor: cursors['listDevices']! },
  listAccountPrinters: { cursor: cursors['listAccountPrinters']! },
  listJobs: { cursor: cursors['listJobs']! },
  listPrintJobs: { external_id: `order of ${name}` },
  createPrintJob: { external_id: `order of ${name}`, 'Idempotency-Key': work.ids['Idempotency-Key']! },
  createJob: { external_id: `order of ${name}`, 'Idempotency-Key': work.partnerKey },
  retryPrintJob: { ...work.failed, 'Idempotency-Key': work.retryKey },
  getJobContent: work.leased,
  acceptJob: work.leased,
  releaseLease: work.releasable,
  startHandoff: work.accepted,
  reportEvents: work.handedOff,
  startSession: { installation_id: spare.installationId },
  putInventory: { printer_key: queueOf(name) },
});

async function keyOf(service: TestService, accountId: string): Promise<string> {
  const key = await service.operate('POST', `/accounts/${accountId}/keys`, { scopes: ALL_SCOPES });
  return String(key.api_key);
}

export async function tokenOf(service: TestService, accountId: string): Promise<string> {
  const enrollment = await service.operate('POST', `/accounts/${accountId}/enrollments`, {});
  return String(enrollment.enrollment_token);
}

async function usedToken(service: TestService, accountId: string): Promise<string> {
  const enrollment_token = await tokenOf(service, accountId);
  const json = { enrollment_token, installation_id: randomUUID() };
  await service.call('POST', '/managed/enroll', { json });
  return enrollment_token;
}

async function closedAccount(partner: TestPartner): Promise<string> {
  const accountId = await partner.account();
  await partner.call('POST', `/accounts/${accountId}/deactivate`);
  return accountId;
}

async function enrolAll(service: TestService, partner: TestPartner, accountId: string, name: string) {
  const agent = await TestAgent.enrol(service, accountId);
  await agent.start();
  const oldSession = agent.sessionId;
  await agent.start();
  const gone = { ...onePrinter, printer_key: 'till-9', name: 'Gone' };
  const [, , removedPrinterId] = await agent.inventory([...printers, gone]);
  const [printerId] = await agent.inventory(printers);
  const queue = { ...onePrinter, printer_key: queueOf(name) };
  const { agent: spare } = await TestAgent.ready(service, accountId, [queue]);
  const { agent: revoked } = await TestAgent.ready(service, accountId);
  await partner.call('POST', `/accounts/${accountId}/devices/${revoked.computerId}/deactivate`);
  return {
    agent,
    spare,
    revoked,
    printerId: printerId!,
    removedPrinterId: removedPrinterId!,
    oldSession,
  };
}

/** What an agent stores once: its health, as in a heartbeat of the tests, and that it names its session. */
async function introduce(agent: TestAgent): Promise<void> {
  const { printer_key } = onePrinter;
  const example = structuredClone(HeartbeatBody.example);
  const stuck_printers = example.health!.stuck_printers!.map((one) => ({ ...one, printer_key }));
  const health = { ...example.health, stuck_printers };
  await agent.call('POST', '/heartbeat', { json: { session_id: agent.sessionId, leases: [], health } });
  await agent.call('POST', `/leases/${randomUUID()}/release`, { json: { session_id: agent.sessionId } });
}

interface Place {
  readonly name: string;
  readonly accountId: string;
  readonly key: string;
  readonly agent: TestAgent;
  readonly printerId: string;
}

const idsOf = ({ job_id, lease_id }: Leased): Ids => ({ job_id, lease_id });

/** Jobs in every state that an operation needs. The agent may hold 4 leases: a failed job has freed one. */
async function giveWork(service: TestService, partner: TestPartner, place: Place) {
  const { name, accountId, key, agent, printerId } = place;
  const next = async () => {
    await newJob(service, key, printerId);
    return (await agent.lease(1))[0]!;
  };
  const retryKey = `retry-of-${name}`;
  const failed = await next();
  await notPrinted(agent, failed);
  await retried(service, key, failed.job_id, retryKey);
  await notPrinted(agent, (await agent.lease(1))[0]!);
  const handedOff = await next();
  await agent.accept(handedOff);
  await agent.handoff(handedOff);
  const event_id = randomUUID();
  const accepted = await next();
  await agent.accept(accepted);
  const [leased, releasable] = [await next(), await next()];
  const cancelled = await newJob(service, key, printerId);
  await service.call('POST', `/svc-api-print-jobs/${cancelled}/cancel`, { as: key, json: {} });
  const idempotencyKey = `create-of-${name}`;
  const queued = await createJob(
    service,
    key,
    printerId,
    { external_id: `order of ${name}` },
    idempotencyKey,
  );
  const partnerKey = `partner-create-of-${name}`;
  await partner.print(accountId, printerId, { external_id: `order of ${name}` }, partnerKey);
  return {
    ids: {
      job_id: String(queued.body.data!.job_id),
      lease_id: leased.lease_id,
      event_id,
      'Idempotency-Key': idempotencyKey,
    },
    dead: { job_id: cancelled, lease_id: failed.lease_id },
    partnerKey,
    retryKey,
    contentHash: leased.content_hash,
    failed: { job_id: failed.job_id },
    handedOff: { ...idsOf(handedOff), event_id },
    accepted: idsOf(accepted),
    leased: idsOf(leased),
    releasable: idsOf(releasable),
  };
}

async function notPrinted(agent: TestAgent, lease: Leased): Promise<void> {
  await agent.accept(lease);
  await agent.report(lease, 'not_submitted', { failure_class: 'temporary' });
}

async function retried(service: TestService, key: string, jobId: string, idempotencyKey: string) {
  const path = `/svc-api-print-jobs/${jobId}/retry`;
  const headers = { 'idempotency-key': idempotencyKey };
  const { status, text } = await service.call('POST', path, { as: key, headers, json: {} });
  if (status !== 200) throw new Error(`no retry: ${text}`);
}

/** End of the first page of each list. */
async function cursorsOf(partner: TestPartner, accountId: string): Promise<Ids> {
  const lists = { listDevices: 'devices', listAccountPrinters: 'printers', listJobs: 'jobs' };
  const cursors: Record<string, string> = {};
  for (const [id, list] of Object.entries(lists)) {
    const { body } = await partner.call('GET', `/accounts/${accountId}/${list}?limit=1`);
    if (typeof body.data!.next_cursor !== 'string') throw new Error(`${list} has one page only`);
    cursors[id] = body.data!.next_cursor;
  }
  return cursors;
}
