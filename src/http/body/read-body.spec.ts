import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { decodeContent, MAX_CONTENT_BYTES } from './read-body.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('decoding content', () => {
  it('decodes content, with its hash and size', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const decoded = decodeContent(Buffer.from(bytes).toString('base64'), 'base64')!;
        expect(decoded).toMatchObject({ sha256: sha256(bytes), size: bytes.length, problem: undefined });
        expect([...decoded.bytes]).toEqual([...bytes]);
      }),
    );
  });

  it('refuses text that no encoder produces', () => {
    const unit = fc.constantFrom(...'ABCabc019+/=-_ \n*é');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        const decoded = decodeContent(text, 'base64')!;
        const canonical = Buffer.from(text, 'base64').toString('base64') === text;
        expect(decoded.problem).toBe(canonical ? undefined : 'base64');
      }),
      { numRuns: 3000 },
    );
  });

  it('encodes text as UTF-8', () => {
    expect(decodeContent('é', 'utf8')).toMatchObject({ size: 2, sha256: sha256(Buffer.from('é')) });
  });

  it('computes the size from the length before decoding', () => {
    const most = Buffer.alloc(MAX_CONTENT_BYTES).toString('base64');
    expect(decodeContent(most, 'base64')).toMatchObject({ size: MAX_CONTENT_BYTES, problem: undefined });
    const more = Buffer.alloc(MAX_CONTENT_BYTES + 1).toString('base64');
    expect(decodeContent(more, 'base64')).toMatchObject({ problem: 'too_large' });
    expect(decodeContent(`${'*'.repeat(14_000_000)}`, 'base64')).toMatchObject({ problem: 'too_large' });
  });

  it('keeps bytes in their own buffer, which can be transferred', () => {
    const { bytes } = decodeContent('aGVsbG8=', 'base64')!;
    expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
  });

  it('leaves values that are no text to validation', () => {
    expect(decodeContent(5, 'base64')).toBeUndefined();
    expect(decodeContent('x', 'hex')).toMatchObject({ problem: 'encoding' });
  });
});
