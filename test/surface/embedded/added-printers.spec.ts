import { rpsAt } from '../../kit/rps-at.js';
import { serviceForAll } from '../../kit/service.js';
import { openAccount, TestAgent } from '../../kit/world.js';

const ADDRESS = 'socket://10.0.0.7:9100?status=zpl';

describe('adding printers without a queue', () => {
  const service = serviceForAll();
  let agent: TestAgent;
  let accountId: string;
  beforeEach(async () => {
    ({ accountId } = await openAccount(service));
    agent = await TestAgent.enrol(service, accountId);
  });

  const run = async (...words: string[]) => {
    const { code, out, err } = await rpsAt(service, words);
    return { code, err, data: code === 0 ? (JSON.parse(out) as Record<string, unknown>) : {} };
  };
  const versionAfter = async () => (await agent.heartbeat()).body.data!.added_printers;

  it('tells an Agent that knows them by its next heartbeat', async () => {
    agent.features = ['printers/1'];
    await agent.start();
    const before = await versionAfter();
    const { data } = await run('printer', 'add', agent.computerId, 'Label 1', ADDRESS);
    expect(data).toEqual({
      computer_id: agent.computerId,
      added_printers: [{ name: 'Label 1', address: ADDRESS }],
    });
    const version = await versionAfter();
    expect(version).not.toBe(before);
    const { body } = await agent.call('GET', '/printers');
    expect(body.data).toEqual({ version, printers: [{ name: 'Label 1', address: ADDRESS }] });

    await run('printer', 'remove', agent.computerId, 'Label 1');
    expect(await versionAfter()).toBe(before);
    expect((await agent.call('GET', '/printers')).body.data).toEqual({ version: before, printers: [] });
  });

  it('tells nothing to older Agents', async () => {
    await agent.start();
    await run('printer', 'add', agent.computerId, 'Label 1', ADDRESS);
    expect((await agent.heartbeat()).body.data).not.toHaveProperty('added_printers');
  });

  it('shows them with the computer and in the audit', async () => {
    await run('printer', 'add', agent.computerId, 'Label 1', ADDRESS);
    const { data } = await run('computer', 'show', agent.computerId);
    expect(data.added_printers).toEqual([{ name: 'Label 1', address: ADDRESS }]);
    const { items } = await service.operate('GET', `/streams/computer-${agent.computerId}`);
    expect(items).toContainEqual(expect.objectContaining({ type: 'PrinterAdded' }));
  });

  it('refuses files, other schemes and printers that were not added', async () => {
    for (const address of ['file:/etc/passwd', 'http://10.0.0.7/'])
      expect(await run('printer', 'add', agent.computerId, 'X', address)).toMatchObject({
        code: 1,
        err: expect.stringContaining('address must'),
      });
    expect((await run('printer', 'remove', agent.computerId, 'X')).err).toContain('PRINTER_NOT_FOUND');
    expect((await run('printer', 'add', accountId, 'X', ADDRESS)).err).toContain('COMPUTER_NOT_FOUND');
  });
});
