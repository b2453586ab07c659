import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { parseCredential } from '../../kernel/credential.js';
import { MasterKey } from '../../kernel/sealing.js';
import { SystemRandomness } from '../../app/system/system-randomness.js';
import { mintWebhookSecret, SecretBox, SecretUnreadableError, standardWebhooksSecret } from './secret-box.js';

const boxUnder = (byte: number) =>
  new SecretBox(new MasterKey(Buffer.alloc(32, byte)), new SystemRandomness());
const box = boxUnder(1);
const [ACCOUNT_ID, WEBHOOK_ID] = ['account', '019aa000-0000-7000-8000-0000000000e1'];
const secret = mintWebhookSecret(WEBHOOK_ID, randomBytes(32));

describe('creating a webhook secret', () => {
  it('includes its environment, its webhook and a checksum', () => {
    expect(secret).toMatch(/^whsec_live_[0-9A-Za-z]{71}$/);
    expect(parseCredential(secret)).toEqual({ prefix: 'whsec_live_', id: WEBHOOK_ID });
  });

  it('has a Standard Webhooks form with the same key', () => {
    const standard = standardWebhooksSecret(secret);
    expect(standard.startsWith('whsec_')).toBe(true);
    expect(Buffer.from(standard.slice(6), 'base64').toString()).toBe(secret);
  });
});

describe('sealing a secret', () => {
  it('can be opened for the same webhook', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(box.open(box.seal(text, ACCOUNT_ID, WEBHOOK_ID), ACCOUNT_ID, WEBHOOK_ID)).toBe(
          Buffer.from(text).toString(),
        );
      }),
    );
  });

  it('hides the secret and differs each time', () => {
    const boxes = [1, 2].map(() => box.seal(secret, ACCOUNT_ID, WEBHOOK_ID));
    expect(boxes[0]!.box).not.toBe(boxes[1]!.box);
    expect(Buffer.from(boxes[0]!.box, 'base64').toString('latin1')).not.toContain('whsec');
  });

  it('cannot be opened for another webhook, account or master key', () => {
    const sealed = box.seal(secret, ACCOUNT_ID, WEBHOOK_ID);
    expect(() => box.open(sealed, ACCOUNT_ID, 'another')).toThrow(SecretUnreadableError);
    expect(() => box.open(sealed, 'another', WEBHOOK_ID)).toThrow(SecretUnreadableError);
    expect(() => boxUnder(2).open(sealed, ACCOUNT_ID, WEBHOOK_ID)).toThrow('another master key');
    expect(boxUnder(1).open(sealed, ACCOUNT_ID, WEBHOOK_ID)).toBe(secret);
  });

  it('cannot be opened when damaged', () => {
    const sealed = box.seal(secret, ACCOUNT_ID, WEBHOOK_ID);
    const bytes = Buffer.from(sealed.box, 'base64');
    for (let place = 0; place < bytes.length; place++) {
      const damaged = Buffer.from(bytes);
      damaged[place]! ^= 1;
      const broken = { ...sealed, box: damaged.toString('base64') };
      expect(() => box.open(broken, ACCOUNT_ID, WEBHOOK_ID)).toThrow(SecretUnreadableError);
    }
    for (const length of [0, 5, 12, 28]) {
      const cut = { ...sealed, box: bytes.subarray(0, length).toString('base64') };
      expect(() => box.open(cut, ACCOUNT_ID, WEBHOOK_ID)).toThrow(SecretUnreadableError);
    }
  });
});
