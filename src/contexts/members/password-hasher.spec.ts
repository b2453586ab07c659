import { HkdfMasterKey } from '../../adapters/system/hkdf-master-key.js';
import { SystemRandomness } from '../../adapters/system/system-randomness.js';
import { BEA, CARL } from '../../../test/kit/examples/members.js';
import { isSealedWith, openSecret } from '../../kernel/sealing.js';
import { UnavailableError } from '../../ports/event-store.port.js';
import { PasswordHasher } from './password-hasher.js';

const masterKey = new HkdfMasterKey(Buffer.alloc(32, 7));
const PASSWORD = 'an umbrella in the rain';
const makeHasher = (key = masterKey) => new PasswordHasher(key, new SystemRandomness());

describe('hashing passwords', () => {
  it('stores scrypt with N 2^15, r 8, p 3, 16 bytes of salt, sealed for its member', async () => {
    const sealed = await makeHasher().hash(PASSWORD, BEA);
    const key = masterKey.derive('member-passwords');
    expect(isSealedWith(key, sealed)).toBe(true);
    expect(openSecret(key, sealed, BEA)).toMatch(
      /^scrypt\$15\$8\$3\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/,
    );
    expect(() => openSecret(key, sealed, CARL)).toThrow('sealed for another owner');
  });

  it('matches the password of its member only', async () => {
    const hasher = makeHasher();
    const sealed = await hasher.hash(PASSWORD, BEA);
    expect(await hasher.matches(PASSWORD, BEA, sealed)).toBe(true);
    expect(await hasher.matches(`${PASSWORD} `, BEA, sealed)).toBe(false);
    expect(await hasher.matches(PASSWORD, CARL, sealed)).toBe(false);
  });

  it('matches nothing after the loss of the master key', async () => {
    const sealed = await makeHasher().hash(PASSWORD, BEA);
    const other = makeHasher(new HkdfMasterKey(Buffer.alloc(32, 8)));
    expect(await other.matches(PASSWORD, BEA, sealed)).toBe(false);
  });

  it('computes a hash for nobody too, so that time reveals no names', async () => {
    const hasher = makeHasher();
    let computed = 0;
    const compute = async () => {
      computed++;
      return Buffer.alloc(32);
    };
    Object.assign(hasher, { compute });
    expect(await hasher.matches(PASSWORD, BEA, undefined)).toBe(false);
    expect(computed).toBe(1);
  });

  it('runs two at a time, lets eight wait, and refuses the others', async () => {
    const hasher = makeHasher();
    const results = await Promise.allSettled(
      Array.from({ length: 13 }, () => hasher.matches(PASSWORD, BEA, undefined)),
    );
    const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(3);
    expect(refused.every(({ reason }) => reason instanceof UnavailableError)).toBe(true);
    expect(await hasher.matches(PASSWORD, BEA, undefined)).toBe(false);
  });
});
