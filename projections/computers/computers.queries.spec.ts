import type { ComputerEvent } from '../../src/contexts/devices/domain/computer.events.js';
import * as pc from '../../test/kit/examples/devices.js';
import { recorded } from '../../test/kit/recorded.js';
import { computersProjection } from './computers.projection.js';
import { ComputerQueries } from './computers.queries.js';
import { COMPUTER_STATUSES_OF } from '../../src/api/partner/devices/device.resource.js';
import { TestViews } from '../../test/kit/views.js';

/** Computers a (pending), b (online), c (revoked), and z of another account, in this order. */
function computers(): ComputerQueries {
  const views = new TestViews([computersProjection]);
  const stories: [string, string, ...ComputerEvent[]][] = [
    ['a', pc.ACCOUNT_ID],
    ['b', pc.ACCOUNT_ID, pc.sessionStarted(), pc.cameOnline],
    ['c', pc.ACCOUNT_ID, pc.revoked],
    ['z', 'another account'],
  ];
  stories.forEach(([computerId, accountId, ...events], n) => {
    const friendlyCode = `PC-${computerId}`;
    const first = { ...pc.registered, data: { ...pc.registered.data, computerId, accountId, friendlyCode } };
    const told = recorded<ComputerEvent>(`computer-${computerId}`, first, ...events);
    views.project(told.map((event, m) => ({ ...event, position: String(n * 10 + m).padStart(20, '0') })));
  });
  return new ComputerQueries(views.store);
}
const queries = computers();
const names = (found: readonly { computer_id: string }[]) => found.map(({ computer_id }) => computer_id);
const page = { limit: 25, offset: 0 };

describe('getting a computer', () => {
  it('finds one of the account', async () => {
    expect(await queries.getComputer(pc.ACCOUNT_ID, 'a')).toMatchObject({ computer_id: 'a' });
    expect(await queries.getComputer(pc.ACCOUNT_ID, 'z')).toBeUndefined();
    expect(await queries.getComputer(pc.ACCOUNT_ID, 'none')).toBeUndefined();
    expect(names(await queries.getComputers(pc.ACCOUNT_ID, ['b', 'z', 'none', 'a']))).toEqual(['b', 'a']);
  });

  it('finds any computer for its agent', async () => {
    expect(await queries.findComputer('z')).toMatchObject({ account_id: 'another account' });
  });
});

describe('listing computers', () => {
  it('returns the newest first, with the total', async () => {
    const all = await queries.listComputers(pc.ACCOUNT_ID, {}, page);
    expect([names(all.items), all.total]).toEqual([['c', 'b', 'a'], 3]);
    const second = await queries.listComputers(pc.ACCOUNT_ID, {}, { limit: 1, offset: 1 });
    expect([names(second.items), second.total]).toEqual([['b'], 3]);
  });

  it('filters by status', async () => {
    const online = await queries.listComputers(pc.ACCOUNT_ID, { status: 'online' }, page);
    expect([names(online.items), online.total]).toEqual([['b'], 1]);
  });

  it('continues after a cursor', async () => {
    const first = await queries.listDevices(pc.ACCOUNT_ID, {}, { limit: 1 });
    const rest = await queries.listDevices(pc.ACCOUNT_ID, {}, { limit: 9, after: first.positions[0]! });
    expect([names(first.documents), names(rest.documents)]).toEqual([['c'], ['b', 'a']]);
    const offline = { status: COMPUTER_STATUSES_OF.offline };
    expect(names((await queries.listDevices(pc.ACCOUNT_ID, offline, { limit: 9 })).documents)).toEqual(['a']);
  });
});
