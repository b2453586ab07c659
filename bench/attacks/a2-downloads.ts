import type { ServiceProcess } from '../programs/service.js';
import { call, creates, openCustomer, withDocument, type Customer } from '../world.js';
import { ask, askInLoops } from './ask.js';
import { ATTACKER, type Attack } from './attack.js';
import { Browser, invite } from './browser.js';
import { headOf, hold } from './hold.js';

const DOCUMENT_BYTES = 10_485_760;
const DOWNLOADS = 60;
const PANEL_DOWNLOADS = 20;
const RANGE_LOOPS = 4;
const PAUSE_MS = 1_000;

interface Given {
  readonly device: Readonly<Record<string, string>>;
  readonly member: Readonly<Record<string, string>>;
  readonly jobId: string;
}

export const downloads: Attack<Given> = {
  name: 'A2',
  about:
    `an Agent with a leased job of 10 MB opens ${DOWNLOADS} downloads and reads none, and asks for single bytes; ` +
    `a member opens ${PANEL_DOWNLOADS}`,

  async prepare(service) {
    const customer = await openCustomer(service, 1);
    const { token } = await invite(service, customer.accountId, 'eve');
    const browser = new Browser(service.url, ATTACKER);
    await browser.postOk('/session/link', { token });
    const jobId = await leasedJob(service, customer);
    const device = { authorization: `Bearer ${customer.deviceCredential}` };
    return { given: { device, member: browser.headers, jobId } };
  },

  async run(running, { device, member, jobId }) {
    const path = `/v1/agent/jobs/${jobId}/content`;
    const open = (count: number, route: string, headers: Readonly<Record<string, string>>) =>
      hold(running, {
        ...{ count, from: ATTACKER, reopenMs: PAUSE_MS, reads: false },
        start: (socket) => socket.write(headOf(running.url, route, headers)),
      });
    const oneByte = { method: 'GET', path, headers: { ...device, range: 'bytes=0-0' }, from: ATTACKER };
    await Promise.all([
      open(DOWNLOADS, `GET ${path}`, device),
      open(PANEL_DOWNLOADS, `GET /v1/panel/jobs/${jobId}/document`, member),
      askInLoops(running, RANGE_LOOPS, { expected: '206', pauseMs: PAUSE_MS, next: () => oneByte }),
    ]);
  },
};

async function leasedJob({ url }: ServiceProcess, customer: Customer): Promise<string> {
  const { status } = await ask(url, withDocument(creates(customer)[0]!, 'raw', DOCUMENT_BYTES));
  if (status !== 201) throw new Error(`the job of 10 MB was answered with ${status}`);
  const body = { session_id: customer.sessionId, wait_seconds: 0, max: 1 };
  type Leased = { leases: { job_id: string }[] };
  const { leases } = await call<Leased>(url, customer.deviceCredential, 'POST', '/agent/leases', body);
  return leases[0]!.job_id;
}
