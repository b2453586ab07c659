import fc from 'fast-check';
import { MasterKey } from '../kernel/sealing.js';
import { Cursors } from './cursors.js';

const keyOf = (byte: number) => new MasterKey(new Uint8Array(32).fill(byte));
const cursors = new Cursors(keyOf(1));
const scope = { list: 'jobs', partner: 'p', account: 'a', filters: { status: 'queued' } };
const position = '00000000000000000042';

describe('continuing a list', () => {
  it('continues where the page ended', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (after, account) => {
        const own = { list: 'jobs', account };
        expect(cursors.open(own, cursors.seal(own, after))).toBe(Buffer.from(after).toString());
      }),
    );
  });

  it('hides the position in the cursor', () => {
    const cursor = cursors.seal(scope, position);
    expect(cursors.seal({ ...scope }, position)).toBe(cursor);
    expect(cursor).toMatch(/^[\w-]{64}$/);
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('42');
  });

  it.each([
    ['another list', { ...scope, list: 'printers' }],
    ['another partner', { ...scope, partner: 'q' }],
    ['another account', { ...scope, account: 'b' }],
    ['other filters', { ...scope, filters: {} }],
  ])('refuses a cursor for %s', (_, other) => {
    expect(cursors.open(other, cursors.seal(scope, position))).toBeUndefined();
  });

  it('refuses a cursor of another key', () => {
    expect(new Cursors(keyOf(2)).open(scope, cursors.seal(scope, position))).toBeUndefined();
  });

  it('refuses a cursor with a changed, removed or added character', () => {
    const cursor = cursors.seal(scope, position);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ .';
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom(...alphabet), (at, character) => {
        fc.pre(cursor[at] !== character);
        const changed = cursor.slice(0, at) + character + cursor.slice(at + 1);
        const shorter = cursor.slice(0, at) + cursor.slice(at + 1);
        const longer = cursor.slice(0, at) + character + cursor.slice(at);
        for (const damaged of [changed, shorter, longer])
          expect(cursors.open(scope, damaged)).toBeUndefined();
      }),
    );
  });

  it('refuses other text', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(cursors.open(scope, text)).toBeUndefined()));
  });
});
