import { NOON } from '../../../test/kit/recorded.js';
import { SystemRandomness } from '../../app/system/system-randomness.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { Claim, claimId, claims } from '../claims/index.js';
import { freeCode } from './codes.js';
import { TestEventStore } from '../../../test/kit/stores.js';

const caused = { at: NOON, by: { actor: { kind: 'enrollment', id: 'e' }, correlationId: 'c' } } as const;
const computer = { accountId: 'account', computerId: 'computer' };
const till = { ...computer, printerKey: 'till' };

describe('assigning a code', () => {
  let aggregates: AggregateStore;
  beforeEach(() => {
    aggregates = new AggregateStore(new TestEventStore(), new SystemRandomness());
  });
  const take = async (owner: typeof computer) => {
    const { code, claim } = await freeCode(aggregates, owner, caused);
    if (claim.length > 0) await aggregates.appendInOrder(claim);
    return code;
  };
  const takenByAnother = (code: string) =>
    aggregates.execute(
      claims,
      claimId('device-code', 'account', code),
      new Claim({ claimKind: 'device-code', subject: 'another computer', at: caused.at, by: caused.by }),
    );

  it('has a prefix for its kind and 8 hex digits', async () => {
    expect(await take(computer)).toMatch(/^PC-[0-9A-F]{8}$/);
    expect(await take(till)).toMatch(/^PR-[0-9A-F]{8}$/);
    expect(await take({ ...computer, computerId: 'another' })).not.toBe(await take(computer));
  });

  it('reuses its own claim when a crash prevented the computer from being stored', async () => {
    const code = await take(till);
    expect(await freeCode(aggregates, till, caused)).toEqual({ code, claim: [] });
  });

  it.each([computer, till])('draws another code when the first is taken: %j', async (owner) => {
    const { code } = await freeCode(aggregates, owner, caused);
    await takenByAnother(code);
    const other = await take(owner);
    expect(other).not.toBe(code);
    expect(await take(owner)).toBe(other);
  });

  it('may assign the same code in two accounts', async () => {
    const { code } = await freeCode(aggregates, computer, caused);
    await takenByAnother(code);
    expect(await take({ ...computer, accountId: 'another account' })).toBe(code);
  });
});
