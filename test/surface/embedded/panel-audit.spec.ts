import { JobScene, sceneForEach } from '../../kit/job-scene.js';
import { joined, type Browser } from '../../kit/panel.js';
import { serviceForEach } from '../../kit/service.js';
import { onePrinter } from '../../kit/world.js';
import { itemsOf, verdict } from '../asking.js';
import { INSECURE } from '../webhook-asking.js';

interface Entry {
  readonly action: string;
  readonly actor: { readonly kind: string; readonly name: string };
  readonly subject: { readonly kind: string; readonly id: string; readonly name: string | null };
}

const service = serviceForEach({ env: INSECURE });
const scene = sceneForEach(service, { slug: 'acme' });
let owner: Browser;
beforeEach(async () => {
  ({ browser: owner } = await joined(service, scene.accountId, 'bea', 'owner'));
});

const entries = async (browser = owner) =>
  itemsOf(await browser.get('/panel/audit?limit=100')) as unknown as Entry[];
/** `bea ApiKeyCreated`: what `act` adds to the audit, oldest first. */
async function addedBy(act: () => Promise<unknown>): Promise<string[]> {
  const before = (await entries()).length;
  await act();
  const added = (await entries()).reverse().slice(before);
  return added.map(({ actor, action }) => `${actor.name} ${action}`);
}

describe('the audit', () => {
  it('shows actions of members', async () => {
    const added = await addedBy(async () => {
      const { key_id } = (await owner.post('/panel/keys', { name: 'Till', scopes: ['jobs:read'] })).body
        .data!;
      await owner.post(`/panel/keys/${String(key_id)}/revoke`);
      await owner.post('/panel/enrollments');
      await owner.post(`/panel/computers/${scene.agent.computerId}/disable`);
      await owner.post(`/panel/computers/${scene.agent.computerId}/enable`);
      await owner.call('PATCH', `/panel/printers/${scene.printerId}`, { display_name: 'Counter' });
      await owner.post('/svc-create-webhook', { url: 'http://127.0.0.1:9/', event_types: ['job.failed'] });
      await owner.post('/panel/members', { name: 'vic', role: 'viewer' });
    });
    expect(added).toEqual(
      [
        ...['ApiKeyCreated', 'ApiKeyRevoked', 'EnrollmentCreated', 'ComputerDisabled', 'ComputerEnabled'],
        ...['PrinterUpdated', 'WebhookCreated', 'MemberInvited', 'PanelLinkIssued'],
      ].map((action) => `bea ${action}`),
    );
  });

  it('names what was changed', async () => {
    await owner.post('/panel/keys', { name: 'Till', scopes: ['jobs:read'] });
    await owner.post(`/panel/computers/${scene.agent.computerId}/disable`);
    await owner.post(`/panel/computers/${scene.agent.computerId}/enable`);
    await owner.call('PATCH', `/panel/printers/${scene.printerId}`, { display_name: 'Counter' });
    const url = 'http://127.0.0.1:9/';
    await owner.post('/svc-create-webhook', { url, event_types: ['job.failed'], description: 'Shop' });
    await owner.post(`/svc-api-print-jobs/${await scene.create({ title: 'Order 7' })}/cancel`);
    const named = (await entries()).map(({ action, subject }) => `${action} ${String(subject.name)}`);
    expect(named).toEqual(
      expect.arrayContaining([
        ...['ApiKeyCreated Till', 'ComputerDisabled FRONT-DESK', 'PrinterUpdated Counter'],
        ...['WebhookCreated Shop', 'JobCancelled Order 7', 'MemberInvited bea'],
      ]),
    );
  });

  it('shows sign-ins and actions of operators', async () => {
    const added = await addedBy(async () => {
      await joined(service, scene.accountId, 'vic', 'viewer');
      await service.operate('POST', `/accounts/${scene.accountId}/plan`, { jobs_per_month: 10 });
      await service.operate('POST', `/accounts/${scene.accountId}/suspend`);
      await service.operate('POST', `/accounts/${scene.accountId}/resume`);
    });
    expect(added).toEqual([
      ...['operator MemberInvited', 'operator PanelLinkIssued', 'vic PanelLinkUsed', 'vic SessionOpened'],
      ...['operator PlanChanged', 'operator AccountSuspended', 'operator AccountResumed'],
    ]);
  });

  it('shows decisions of members about jobs, and the documents that they open', async () => {
    const parked = await scene.parked();
    const jobId = await scene.create();
    const added = await addedBy(async () => {
      await owner.get(`/panel/jobs/${jobId}/document`);
      await owner.post(`/svc-api-print-jobs/${jobId}/cancel`);
      await owner.call(
        'POST',
        `/svc-api-print-jobs/${parked.job_id}/retry`,
        { reason: 'no paper came out' },
        { 'idempotency-key': 'print-again' },
      );
    });
    expect(added).toEqual(['bea DocumentOpened', 'bea JobCancelled', 'bea JobRequeued']);
    const [newest] = await entries();
    expect(newest!.subject).toEqual({ kind: 'job', id: parked.job_id, name: null });
  });

  it('omits jobs of clients and reports of agents', async () => {
    const added = await addedBy(async () => {
      await scene.cancel(await scene.create());
      await scene.at('completed');
      await scene.agent.inventory([{ ...onePrinter, name: 'Till 2' }]);
    });
    expect(added).toEqual([]);
  });

  it('is read page by page, only by its own account', async () => {
    const all = await entries();
    const first = (await owner.get('/panel/audit?limit=2')).body.data!;
    const next = (await owner.get(`/panel/audit?limit=100&cursor=${String(first.next_cursor)}`)).body.data!;
    expect([...(first.items as Entry[]), ...(next.items as Entry[])]).toEqual(all);
    expect(next).toMatchObject({ has_more: false, next_cursor: null });

    const other = await JobScene.open(service, { slug: 'other' });
    const { browser: stranger } = await joined(service, other.accountId, 'zoe', 'owner');
    const foreign = await stranger.get(`/panel/audit?cursor=${String(first.next_cursor)}`);
    expect(verdict(foreign)).toBe('400 INVALID_REQUEST');
    const ofOther = await entries(stranger);
    expect(ofOther.every(({ subject }) => !all.some((entry) => entry.subject.id === subject.id))).toBe(true);
  });
});
