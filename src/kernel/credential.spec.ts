import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import {
  CREDENTIAL_PREFIXES,
  hashCredential,
  hideCredentials,
  isCredential,
  lastFour,
  mintCredential,
  parseCredential,
} from './credential.js';
import { sha256 } from './ids.js';

const DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const prefixes = fc.constantFrom(...CREDENTIAL_PREFIXES);
const random = fc.uint8Array({ minLength: 32, maxLength: 32 });
const minted = fc.tuple(prefixes, fc.uuid(), random).map((parts) => mintCredential(...parts));
const ID = '019aa000-0000-7000-8000-0000000000b1';
const secret = mintCredential('svc_live_', ID, new Uint8Array(32).fill(7));

describe('minting a credential', () => {
  it('keeps the kind and the id of its record readable', () => {
    fc.assert(
      fc.property(prefixes, fc.uuid(), random, (prefix, id, bytes) => {
        expect(parseCredential(mintCredential(prefix, id, bytes))).toEqual({ prefix, id });
      }),
    );
  });

  it('has one length per kind, for any bytes', () => {
    const zero = mintCredential('svc_live_', '00000000-0000-0000-0000-000000000000', new Uint8Array(32));
    const full = mintCredential(
      'svc_live_',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      new Uint8Array(32).fill(255),
    );
    expect([zero.length, full.length]).toEqual([80, 80]);
    expect(zero).toMatch(/^svc_live_0{65}[0-9A-Za-z]{6}$/);
  });

  it('requires 32 random bytes', () => {
    expect(() => mintCredential('svc_live_', ID, new Uint8Array(31))).toThrow(RangeError);
  });
});

describe('parsing a credential', () => {
  it('rejects any other digit in any place', () => {
    for (let place = 0; place < secret.length; place++) {
      for (const digit of [...DIGITS, '_', '-', ' ', 'é']) {
        if (digit === secret[place]) continue;
        const typo = secret.slice(0, place) + digit + secret.slice(place + 1);
        if (parseCredential(typo)) throw new Error(`taken for a credential: ${typo}`);
      }
    }
  });

  it('rejects an omitted, doubled or transposed digit', () => {
    fc.assert(
      fc.property(minted, fc.nat(200), (text, n) => {
        const at = n % (text.length - 1);
        expect(parseCredential(text.slice(0, at) + text.slice(at + 1))).toBeUndefined();
        expect(parseCredential(text.slice(0, at) + text[at] + text.slice(at))).toBeUndefined();
        if (text[at] === text[at + 1]) return;
        const swapped = text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
        expect(parseCredential(swapped)).toBeUndefined();
      }),
    );
  });

  it('rejects arbitrary text without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(parseCredential(text)).toBeUndefined();
      }),
    );
  });

  it('rejects a number above 384 bits with a correct checksum', () => {
    const text = `svc_live_${'z'.repeat(65)}`;
    let rest = crc32(text);
    let checksum = '';
    for (let i = 0; i < 6; i++) {
      checksum = `${DIGITS[rest % 62]}${checksum}`;
      rest = Math.floor(rest / 62);
    }
    expect(parseCredential(text + checksum)).toBeUndefined();
  });
});

describe('comparing a credential', () => {
  it('needs only the hash', () => {
    expect(hashCredential(secret)).toBe(sha256(secret));
    expect(isCredential(secret, hashCredential(secret))).toBe(true);
    expect(isCredential(`${secret}x`, hashCredential(secret))).toBe(false);
    expect(isCredential(secret, '')).toBe(false);
  });

  it('ends with its last four characters', () => {
    expect(secret.endsWith(lastFour(secret))).toBe(true);
  });
});

describe('the checksum', () => {
  it('stays the same, so that earlier credentials remain valid', () => {
    const minted = 'svc_live_02xjkxs9Mm2keHsnvWL8Lz2NMonwCk0JPXNIgWAkPRV4KYjcaFBqfCa0X36Z2kcjv3iXrNS';
    expect(parseCredential(minted)).toEqual({ prefix: 'svc_live_', id: ID });
    expect(secret).toBe(minted);
  });
});

describe('hiding credentials', () => {
  it('keeps only the prefix of each, anywhere in the text', () => {
    fc.assert(
      fc.property(minted, minted, (first, second) => {
        const hidden = hideCredentials(`{"path":"/x/${first}","to":"${second}."}`);
        expect(hidden).toBe(`{"path":"/x/${prefixOf(first)}***","to":"${prefixOf(second)}***."}`);
      }),
    );
  });

  it('hides a webhook secret in Standard Webhooks form', () => {
    const spelt = `whsec_${Buffer.from(mintCredential('whsec_live_', ID, new Uint8Array(32))).toString('base64')}`;
    expect(hideCredentials(spelt)).toBe('whsec_***');
  });

  it.each(['order-4711', 'svc_live_demo', ID, 'a'.repeat(128)])('leaves %s unchanged', (text) => {
    expect(hideCredentials(text)).toBe(text);
  });
});

const prefixOf = (credential: string) => CREDENTIAL_PREFIXES.find((prefix) => credential.startsWith(prefix))!;
