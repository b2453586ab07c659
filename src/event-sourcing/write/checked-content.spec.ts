import { sha256 } from '../../kernel/ids.js';
import { readChecked } from './checked-content.js';
import { FakeContentStore } from '../../../test/kit/fakes/content-store.js';

describe('verifying a document against its hash', () => {
  it.each([0, 300, 65_536, 65_537, 3_000_000])('detects damage at %i bytes', async (size) => {
    const contents = new FakeContentStore();
    const bytes = new Uint8Array(size).fill(7);
    await contents.put('job-1', bytes);

    const whole = await readChecked(contents, 'job-1', sha256(bytes));
    expect(whole.state === 'whole' && Buffer.compare(whole.bytes, bytes)).toBe(0);
    expect(await readChecked(contents, 'job-1', sha256('another'))).toEqual({ state: 'damaged' });
    expect(await readChecked(contents, 'job-2', sha256(bytes))).toEqual({ state: 'missing' });
  });
});
