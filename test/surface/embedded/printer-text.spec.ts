import { TestPartner } from '../../kit/partner.js';
import { serviceForAll } from '../../kit/service.js';
import { openAccount, TestAgent } from '../../kit/world.js';

const TEXT_FIELDS = ['text_encoding', 'line_ending', 'text_mode', 'cut_after'];

describe('settings of a printer for text', () => {
  const service = serviceForAll();
  let partner: TestPartner;
  let accountId: string;
  beforeAll(async () => {
    partner = await TestPartner.open(service);
  });
  beforeEach(async () => {
    accountId = await partner.account();
  });

  const ready = async (features: string[] = ['text/1']) => {
    const agent = await TestAgent.enrol(service, accountId);
    const session = await agent.call('POST', '/sessions', {
      json: {
        installation_id: agent.installationId,
        agent_version: '1.0.0',
        operating_system: 'Windows 11',
        hostname: 'FRONT-DESK',
        journal: [],
        features,
      },
    });
    agent.sessionId = String(session.body.data!.session_id);
    const printer = {
      ...{ printer_key: 'till-1', name: 'Till 1', is_default: true, is_virtual: true, online: true },
      capabilities: { content_types: ['pdf', 'raw', 'text'] },
    };
    const [printerId] = await agent.inventory([printer]);
    return { agent, printerId: printerId!, path: `/accounts/${accountId}/printers/${printerId}` };
  };
  const print = (printerId: string, type: 'text' | 'pdf') => {
    const pdf = { type, encoding: 'base64', data: Buffer.from('%PDF-1.7\n%%EOF').toString('base64') };
    return partner.print(accountId, printerId, type === 'pdf' ? { content: pdf } : {});
  };

  it('are shown only once they are set, and no more when they are null', async () => {
    const { path } = await ready();
    const [before] = await partner.list(`/accounts/${accountId}/printers`);
    expect(Object.keys(before!).filter((field) => TEXT_FIELDS.includes(field))).toEqual([]);

    const set = { text_encoding: 'cp858', line_ending: 'crlf', text_mode: 'raw', cut_after: true };
    const changed = await partner.call('PATCH', path, { json: set });
    expect([changed.status, changed.body.data]).toEqual([200, { ...before, ...set }]);
    const part = await partner.call('PATCH', path, { json: { cut_after: false, line_ending: null } });
    expect(part.body.data).toEqual({ ...before, text_encoding: 'cp858', text_mode: 'raw', cut_after: false });

    const none = { text_encoding: null, text_mode: null, cut_after: null };
    expect((await partner.call('PATCH', path, { json: none })).body.data).toEqual(before);
    expect(await partner.list(`/accounts/${accountId}/printers`)).toEqual([before]);
  });

  it.each([
    { text_encoding: 'utf-16' },
    { line_ending: 'crcrlf' },
    { text_mode: 'PAGES' },
    { cut_after: 'yes' },
    {},
  ])('refuse %j', async (json) => {
    const { path } = await ready();
    const { status, body } = await partner.call('PATCH', path, { json });
    expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('come with leases of text, and with no others', async () => {
    const { agent, printerId, path } = await ready();
    await print(printerId, 'pdf');
    await partner.call('PATCH', path, { json: { text_encoding: 'cp858', cut_after: false } });
    await print(printerId, 'text');
    const leases = (await agent.lease()) as unknown as { content_type: string; text?: object }[];
    expect(leases.map(({ content_type, text }) => [content_type, text])).toEqual([
      ['pdf', undefined],
      ['text', { encoding: 'cp858', cut_after: false }],
    ]);
  });

  it('are changed by operators, and shown by the Integration API', async () => {
    const account = await openAccount(service);
    accountId = account.accountId;
    const { agent, printerId } = await ready();
    const answer = await service.operate('POST', `/printers/${printerId}`, { text_encoding: 'gb18030' });
    expect(answer).toMatchObject({ account_id: accountId, printer_id: printerId, text_encoding: 'gb18030' });
    const shown = await service.call('GET', '/svc-api-printers', { as: account.key });
    expect(shown.body.data).toMatchObject({ items: [{ text_encoding: 'gb18030' }] });
    const { printers } = await service.operate('GET', `/computers/${agent.computerId}`);
    expect(printers).toMatchObject([{ text_encoding: 'gb18030' }]);
  });
});
