import { MasterKey } from './sealing.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('deriving keys', () => {
  const key = new MasterKey(new Uint8Array(32).fill(7));

  it('returns the same 32 bytes for the same purpose', () => {
    expect(key.derive('cursors')).toHaveLength(32);
    expect(hex(key.derive('cursors'))).toBe(hex(key.derive('cursors')));
  });

  it('returns different bytes for another purpose or secret', () => {
    const other = new MasterKey(new Uint8Array(32).fill(8));
    expect(hex(key.derive('cursors'))).not.toBe(hex(key.derive('webhooks')));
    expect(hex(key.derive('cursors'))).not.toBe(hex(other.derive('cursors')));
  });

  it('does not expose the secret', () => {
    expect(JSON.stringify(key)).toBe('{}');
  });
});
