import { categoryOf } from '../../../src/kernel/ids.js';
import { cellsOf, kindOf, malformedCells, type Cell } from './cells.js';
import { openFourTenants, type FourTenants } from './four-tenants.js';
import { idInputs } from './id-inputs.js';
import { ownRequest, pathOf, send } from './requests.js';
import { isRead, type Served } from './served.js';
import type { Tenant } from './tenant.js';
import { marksOf, tryCell, type Outcome } from './trial.js';

/** The own request of a credential that does not end soon. */
const NOT_DUE: Readonly<Record<string, string>> = { renewCredential: 'CREDENTIAL_NOT_DUE' };
/** Operations that end resources come last, because earlier ones need them. */
const ENDINGS = ['deleteWebhook', 'startSession', 'deactivateDevice', 'deactivateAccount'];

describe('requesting resources of another account', () => {
  let world: FourTenants;
  let owners: Map<string, Tenant>;
  let remaining: Map<string, number>;
  const sent = new Map<string, number>();
  let cells = 0;

  beforeAll(async () => {
    world = await openFourTenants();
    owners = await ownersOf(world);
    remaining = await countersOf(world);
  }, 300_000);
  afterAll(() => world.service.close());

  it('is tested for every input that names a resource', () => {
    const { operations } = world;
    expect(operations.length).toBeGreaterThanOrEqual(37);
    const inputs = operations.flatMap((served) =>
      idInputs(served).map((input) => [served.id, kindOf(served, input)]),
    );
    expect(inputs.length).toBeGreaterThanOrEqual(58);
  });

  it('is answered like an unknown resource, and leaves no trace', async () => {
    const problems: string[] = [];
    for (const caller of [world.tenants[0]!, world.tenants.at(-1)!]) {
      const others = world.othersOf(caller);
      for (const served of readsFirst(world.operations)) {
        const malformed = caller === world.tenants[0] ? malformedCells(served, caller) : [];
        for (const cell of [...cellsOf(served, caller, others), ...malformed]) {
          problems.push(...(await judged(cell, caller)));
          cells++;
        }
      }
    }
    expect(problems).toEqual([]);
    expect(cells).toBeGreaterThan(600);
  }, 600_000);

  it('changes no counter of another account', async () => {
    const now = await countersOf(world);
    const unexplained = [...now].filter(
      ([counter, left]) => remaining.get(counter)! - left !== (sent.get(counter) ?? 0) + 1,
    );
    expect(unexplained).toEqual([]);
    expect(now.size).toBeGreaterThan(100);
  });

  it('is refused while the same requests for own resources succeed', async () => {
    const rank = ({ id }: Served) => ENDINGS.indexOf(id);
    const operations = [...world.operations].sort((a, b) => rank(a) - rank(b));
    const refused: string[] = [];
    for (const caller of world.tenants) {
      for (const served of operations) {
        const answered = await send(world.service, await ownRequest(world.service, served, caller));
        if (answered.status >= 300 && answered.body.code !== NOT_DUE[served.id])
          refused.push(`${caller.name} ${served.id}: ${answered.text}`);
      }
    }
    expect(refused).toEqual([]);
  }, 300_000);

  /** Problems of the answer to a cell; empty if there are none. */
  async function judged(cell: Cell, caller: Tenant): Promise<string[]> {
    const turn = cells;
    const outcome = await tried(cell, caller, cell.given, turn);
    const like = cell.likeRandom && (await tried(cell, caller, cell.likeRandom(), turn));
    const problems = like ? differences(outcome, like) : refusalByForm(cell, outcome);
    return [...problems, ...leaks(cell, caller, outcome)].map(
      (problem) => `${caller.name} ${cell.label}: ${problem}`,
    );
  }

  async function tried(
    cell: Cell,
    caller: Tenant,
    values: readonly string[],
    turn: number,
  ): Promise<Outcome> {
    const own = await ownRequest(world.service, cell.served, caller, turn);
    const counter = `${own.as} ${cell.served.id}`;
    for (const each of [counter, `${own.as} ${cell.served.surface}`])
      sent.set(each, (sent.get(each) ?? 0) + 1);
    return tryCell(world.service, cell, caller, values, turn);
  }

  function leaks(cell: Cell, caller: Tenant, { answered, streams }: Outcome): string[] {
    const text = cell.given.reduce((so, value) => (value ? so.replaceAll(value, '') : so), answered.text);
    const own = new Set(marksOf(caller));
    const shown = world.tenants
      .filter((tenant) => tenant !== caller)
      .flatMap((tenant) => marksOf(tenant).filter((mark) => !own.has(mark) && text.includes(mark)));
    const touched = streams.filter((stream) => ![undefined, caller].includes(owners.get(stream)));
    return [...shown.map((mark) => `shows ${mark}`), ...touched.map((stream) => `writes to ${stream}`)];
  }
});

/** Created by a later cell, so that an earlier one does not find it. */
const readsFirst = (operations: readonly Served[]) =>
  [...operations].sort((a, b) => Number(isRead(b)) - Number(isRead(a)));

function differences(outcome: Outcome, like: Outcome): string[] {
  const problems: string[] = [];
  if (outcome.said !== like.said) problems.push(`says ${outcome.said}\nto a random one ${like.said}`);
  if (outcome.written.join() !== like.written.join()) {
    problems.push(`writes ${outcome.written.join()}, for a random one ${like.written.join()}`);
  }
  if (outcome.status >= 400 && outcome.written.length > 0) problems.push(`is refused and writes`);
  return problems;
}

/** A malformed id is refused by the form of the request; items of a batch separately. */
function refusalByForm({ given }: Cell, { status, answered, written }: Outcome): string[] {
  const [result] = (answered.body.data?.results ?? []) as { code?: string }[];
  const isRefused = result ? result.code === 'INVALID_REQUEST' : status === 400;
  const said = String(result ? '' : answered.body.message);
  return [
    ...(isRefused ? [] : [`${status} ${answered.text}`]),
    ...(given.some((value) => value.length > 3 && said.includes(value))
      ? [`repeats the value: ${said}`]
      : []),
    ...written.map((type) => `writes ${type}`),
  ];
}

/** Owner of each stream, from the sequence in which tenants were set up. */
async function ownersOf({ service, tenants }: FourTenants): Promise<Map<string, Tenant>> {
  const owners = new Map<string, Tenant>();
  const events = await service.stores.events.readAll({ max: 10_000 });
  for (const { stream, position } of events) {
    const owner = tenants.find(({ span: [from, to] }) => BigInt(position) >= from && BigInt(position) <= to);
    if (owner && categoryOf(stream) !== 'partner' && !owners.has(stream)) owners.set(stream, owner);
  }
  return owners;
}

/** Remaining requests by credential and operation; reading them counts one. */
async function countersOf({ service, operations, tenants }: FourTenants): Promise<Map<string, number>> {
  const left = new Map<string, number>();
  for (const tenant of tenants) {
    for (const served of operations.filter(({ operation }) => operation.security.length > 0)) {
      const agents = served.surface === 'agent';
      for (const turn of served.surface === 'integration' ? [0, 1] : [0]) {
        const { as, ...rest } = await ownRequest(service, served, tenant, turn);
        const counter = `${as} ${agents ? 'agent' : served.id}`;
        if (left.has(counter)) continue;
        const path = pathOf({ ...rest, as, query: { unknown_parameter: 'this' } });
        const given = served.method === 'GET' ? { as } : { as, json: {} };
        const { status, headers } = await service.call(served.method, path, given);
        if (status !== 400) throw new Error(`${served.id}: ${status}`);
        left.set(counter, Number(headers.get('ratelimit-remaining')));
      }
    }
  }
  return left;
}
