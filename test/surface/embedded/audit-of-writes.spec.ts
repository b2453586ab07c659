import type { Answered } from '../../kit/http/client.js';
import { sceneForAll, type JobScene } from '../../kit/job-scene.js';
import { Conformance } from '../../kit/openapi.js';
import { Browser, joined, PASSWORD } from '../../kit/panel.js';
import { serviceForAll } from '../../kit/service.js';
import { onePrinter } from '../../kit/world.js';
import { itemsOf } from '../asking.js';
import { INSECURE, webhookIn } from '../webhook-asking.js';

const service = serviceForAll({ env: INSECURE });
const scene = sceneForAll(service, { slug: 'acme' });
let owner: Browser;
let colleague: Awaited<ReturnType<typeof joined>>;
let keys = 0;
beforeAll(async () => {
  owner = (await joined(service, scene.accountId, 'bea', 'owner')).browser;
  colleague = await joined(service, scene.accountId, 'carl', 'developer');
});

const once = () => ({ 'idempotency-key': `by-hand-${keys++}` });
const send = (path: string, json: object = {}) => owner.call('POST', path, json, once());
const idOf = ({ body }: Answered, name: string) => String(body.data![name]);
const created = () =>
  owner.post('/svc-create-webhook', { url: `http://127.0.0.1:9/${keys++}`, event_types: ['job.failed'] });
const ofWebhook = async (action: string, json: object = {}) => {
  const { webhook_id } = webhookIn(await created());
  return owner.post(`/svc-${action}-webhook`, { webhook_id, ...json });
};
const ofComputer = (action: string) => owner.post(`/panel/computers/${scene.agent.computerId}/${action}`);
const ofMember = (action: string, json?: object) =>
  owner.post(`/panel/members/${colleague.memberId}/${action}`, json);
const ofQueue = async (action: string, json?: object) => {
  await scene.create();
  return owner.post(`/panel/printers/${scene.printerId}/${action}`, json);
};

/** Each write of a member that succeeds, in an order in which all of them do. */
const WRITES: Readonly<Record<string, (of: JobScene) => Promise<Answered>>> = {
  cancelPrintJob: async (of) => owner.post(`/svc-api-print-jobs/${await of.create()}/cancel`),
  reprintPrintJob: async (of) => {
    const jobId = await of.create();
    await of.cancel(jobId);
    return send(`/svc-api-print-jobs/${jobId}/reprint`);
  },
  retryPrintJob: async (of) => {
    await ofQueue('clear');
    const { job_id } = await of.parked();
    return send(`/svc-api-print-jobs/${job_id}/retry`, { reason: 'no paper came out' });
  },
  clearPrinterQueue: () => ofQueue('clear'),
  movePrinterQueue: async ({ agent, printerId }) => {
    await agent.inventory([onePrinter, { ...onePrinter, name: 'Till 2', printer_key: 'till-2' }]);
    const printers = itemsOf(await owner.get('/svc-api-printers'));
    const other = printers.map(({ printer_id }) => String(printer_id)).find((id) => id !== printerId)!;
    return ofQueue('move', { to_printer_id: other });
  },
  createWebhook: created,
  updateWebhook: () => ofWebhook('update', { description: 'Shop' }),
  testWebhook: () => ofWebhook('test'),
  recoverWebhook: () => ofWebhook('recover', { since: service.fromNow(-60_000) }),
  deleteWebhook: () => ofWebhook('delete'),
  createEnrollment: () => owner.post('/panel/enrollments'),
  disableComputer: () => ofComputer('disable'),
  enableComputer: () => ofComputer('enable'),
  renameComputer: ({ agent }) =>
    owner.call('PATCH', `/panel/computers/${agent.computerId}`, { display_name: 'Front desk' }),
  updatePrinter: ({ printerId }) =>
    owner.call('PATCH', `/panel/printers/${printerId}`, { display_name: 'Counter' }),
  revokeComputer: () => ofComputer('revoke'),
  createKey: () => owner.post('/panel/keys', { name: 'Till', scopes: ['jobs:read'] }),
  revokeKey: async () => {
    const created = await owner.post('/panel/keys', { name: 'Old', scopes: ['jobs:read'] });
    return owner.post(`/panel/keys/${idOf(created, 'key_id')}/revoke`);
  },
  inviteMember: () => owner.post('/panel/members', { name: 'vic', role: 'viewer' }),
  renewMemberLink: () => ofMember('link'),
  changeMemberRole: () => ofMember('role', { role: 'viewer' }),
  removeMember: () => ofMember('remove'),
  chooseAlerts: () =>
    owner.call('PUT', '/panel/alerts', {
      ...{ kinds: ['job_failed'], channels: [], pace: 'at_once', when_over: true, quiet_hours: null },
    }),
  chooseTheme: () => owner.call('PUT', '/panel/session/theme', { theme: 'dark' }),
  choosePassword: () => owner.post('/panel/password', { next: PASSWORD }),
  dismissLinkNotices: async ({ accountId }) => {
    const other = await joined(service, accountId, 'olga', 'owner');
    const { person_id } = (await owner.session())!;
    await other.browser.post(`/panel/members/${String(person_id)}/link`);
    return owner.post('/panel/session/dismiss-notices');
  },
  endOneSession: async () => {
    const other = await new Browser(service).signIn('bea@acme', PASSWORD);
    if (other.status !== 200) throw new Error(`not signed in: ${other.text}`);
    const sessions = itemsOf(await owner.get('/panel/sessions'));
    return owner.post(`/panel/sessions/${String(sessions.find(({ current }) => !current)!.session_id)}/end`);
  },
};

/** Operations that are no GET and leave no entry of the member who calls them. */
const OTHERS: Readonly<Record<string, string>> = {
  listWebhooks: 'reads',
  listWebhookDeliveries: 'reads',
  createPrintJob: 'creates of jobs are not audited (docs/decisions/063-the-audit.md)',
  createPrintJobs: 'creates of jobs are not audited',
  testPrinter: 'creates of jobs are not audited',
  testAlerts: 'sends the member a message and changes nothing',
  retryWebhookDelivery: 'belongs to a delivery, whose events are removed (docs/decisions/063-the-audit.md)',
  signIn: 'panel-audit.spec.ts',
  signInByLink: 'panel-audit.spec.ts',
  endSession: 'panel-access.spec.ts',
  visitAccount: 'panel-visits.spec.ts',
  leaveAccount: 'panel-visits.spec.ts',
};

describe('the audit', () => {
  it('knows every operation that writes', async () => {
    const documents = await Promise.all(
      ['/openapi.json', '/panel/openapi.json'].map((path) => Conformance.of(`${service.url}${path}`)),
    );
    const writes = documents
      .flatMap((document) => [...document.operations()])
      .flatMap(([id, { method }]) => (method === 'GET' ? [] : [id]));
    expect(writes.sort()).toEqual([...Object.keys(WRITES), ...Object.keys(OTHERS)].sort());
  });

  it.each(Object.entries(WRITES))('has an entry of the request %s', async (_, write) => {
    const answer = await write(scene);
    if (answer.status >= 300) throw new Error(`refused: ${answer.text}`);
    const entries = itemsOf(await owner.get('/panel/audit?limit=100'));
    expect(entries.map(({ request_id }) => request_id)).toContain(answer.body.request_id);
  });
});
