import { randomUUID } from 'node:crypto';
import type { Answered } from '../kit/http/client.js';
import { TestPartner } from '../kit/partner.js';
import { serviceForAll } from '../kit/service.js';
import { onePrinter, TestAgent } from '../kit/world.js';
import { verdict } from './asking.js';

const AT_ONCE = 100;

const named = (name: string) =>
  Array.from({ length: 10 }, (_, n) => ({ ...onePrinter, printer_key: `till-${n}`, name: `${name} ${n}` }));

/** The verdicts of all answers with their numbers. */
function counted(answers: readonly Answered[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[verdict(answer)] = (counts[verdict(answer)] ?? 0) + 1;
  return counts;
}

describe('commands of one computer at once', () => {
  const service = serviceForAll();
  let partner: TestPartner;
  let accountId: string;
  beforeAll(async () => {
    partner = await TestPartner.open(service);
  });
  beforeEach(async () => {
    accountId = await partner.account();
  });

  const times = <T>(work: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, n) => work(n)));
  const token = async () => {
    const created = await service.operate('POST', `/accounts/${accountId}/enrollments`, {});
    return String(created.enrollment_token);
  };
  const enrol = (enrollment_token: string, installation_id: string) =>
    service.call('POST', '/managed/enroll', { json: { enrollment_token, installation_id } });

  it('changes ten printers with 100 parallel requests while inventories arrive', async () => {
    const { agent, printerIds } = await TestAgent.ready(service, accountId, named('Till'));
    const change = (n: number) =>
      partner.call('PATCH', `/accounts/${accountId}/printers/${printerIds[n % 10]}`, {
        json: { display_name: `Counter ${n}` },
      });
    const report = (n: number) =>
      agent.call('PUT', '/inventory', { json: { printers: named(`Round ${n}`) } });
    const [changed, reported] = await Promise.all([
      times(change),
      Promise.all(Array.from({ length: 5 }, (_, n) => report(n))),
    ]);
    expect(counted(changed)).toEqual({ '200 PRINTER_UPDATED': AT_ONCE });
    expect(counted(reported)).toEqual({ '200 OK': 5 });
  });

  it('enrols one installation with 100 tokens at once as one computer', async () => {
    const installation = randomUUID();
    const tokens = await times(token);
    const enrolled = await Promise.all(tokens.map((one) => enrol(one, installation)));
    expect(counted(enrolled)).toEqual({ '200 DEVICE_ENROLLED': AT_ONCE });
    expect(new Set(enrolled.map(({ body }) => body.data!.device_id)).size).toBe(1);
  });
});
