import { SystemRandomness } from '../../app/system/system-randomness.js';
import { BEA, CARL } from '../../../test/kit/examples/members.js';
import { isSealedWith, MasterKey, openSecret } from '../../kernel/sealing.js';
import { PasswordHasher } from './password-hasher.js';
import { UnavailableError } from '../../kernel/errors.js';

const masterKey = new MasterKey(Buffer.alloc(32, 7));
const requester = { name: 'bea', networks: [], attempts: 1, isKnown: true };
const PASSWORD = 'an umbrella in the rain';
const makeHasher = (key = masterKey) => new PasswordHasher(key, new SystemRandomness());

describe('hashing passwords', () => {
  it('stores scrypt with N 2^15, r 8, p 3, 16 bytes of salt, sealed for its member', async () => {
    const sealed = await makeHasher().hash(PASSWORD, BEA, requester);
    const key = masterKey.derive('member-passwords');
    expect(isSealedWith(key, sealed)).toBe(true);
    expect(openSecret(key, sealed, BEA)).toMatch(
      /^scrypt\$15\$8\$3\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/,
    );
    expect(() => openSecret(key, sealed, CARL)).toThrow('sealed for another owner');
  });

  it('matches the password of its member only', async () => {
    const hasher = makeHasher();
    const sealed = await hasher.hash(PASSWORD, BEA, requester);
    expect(await hasher.matches(PASSWORD, BEA, sealed, requester)).toBe(true);
    expect(await hasher.matches(`${PASSWORD} `, BEA, sealed, requester)).toBe(false);
    expect(await hasher.matches(PASSWORD, CARL, sealed, requester)).toBe(false);
  });

  it('matches nothing after the loss of the master key', async () => {
    const sealed = await makeHasher().hash(PASSWORD, BEA, requester);
    const other = makeHasher(new MasterKey(Buffer.alloc(32, 8)));
    expect(await other.matches(PASSWORD, BEA, sealed, requester)).toBe(false);
  });

  it('computes a hash for unknown members too, so that the time reveals no names', async () => {
    const hasher = makeHasher();
    let computed = 0;
    const compute = async () => {
      computed++;
      return Buffer.alloc(32);
    };
    Object.assign(hasher, { compute });
    expect(await hasher.matches(PASSWORD, BEA, undefined, requester)).toBe(false);
    expect(computed).toBe(1);
  });

  it('waits for its turn, and refuses when too many wait', async () => {
    const hasher = makeHasher();
    Object.assign(hasher, { compute: () => new Promise(() => undefined) });
    const ask = (n: number) =>
      hasher.matches(PASSWORD, BEA, undefined, { ...requester, name: `name ${n}`, isKnown: false });
    for (let n = 0; n < 10; n++) void ask(n);
    await expect(ask(10)).rejects.toThrow(UnavailableError);
  });
});
