import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { sha256 } from '../../kernel/ids.js';
import type { ContentPart } from '../ports/content-store.port.js';
import { PART_BYTES, readChecked, type CheckedContent } from './checked-content.js';
import { FakeContentStore } from '../../../test/kit/fakes/content-store.js';

const LARGE = 3_000_000;

const jobOf = (bytes: Uint8Array, hash = sha256(bytes)) => ({
  job_id: 'job-1',
  content_hash: hash,
  content_size_bytes: bytes.byteLength,
});

async function bytesOf(found: CheckedContent): Promise<Buffer> {
  if (found.state !== 'whole') throw new Error(found.state);
  return found.body instanceof Readable ? buffer(found.body) : Buffer.from(found.body);
}

/** Notes the parts that are read. */
class NotingStore extends FakeContentStore {
  readonly parts: (ContentPart | undefined)[] = [];

  override async get(jobId: string, part?: ContentPart): Promise<Uint8Array | undefined> {
    this.parts.push(part);
    return super.get(jobId, part);
  }
}

async function storeOf(bytes: Uint8Array): Promise<NotingStore> {
  const contents = new NotingStore();
  await contents.put('job-1', bytes);
  return contents;
}

describe('verifying a document against its hash', () => {
  it.each([0, 300, PART_BYTES, PART_BYTES + 1, LARGE])('detects damage at %i bytes', async (size) => {
    const bytes = new Uint8Array(size).fill(7);
    const contents = await storeOf(bytes);

    const whole = await bytesOf(await readChecked(contents, jobOf(bytes)));
    expect(whole.equals(bytes)).toBe(true);
    expect(await readChecked(contents, jobOf(bytes, sha256('another')))).toEqual({ state: 'damaged' });
    const missing = { ...jobOf(bytes), job_id: 'job-2' };
    expect(await readChecked(contents, missing)).toEqual({ state: 'missing' });
  });

  it('reads a large document in parts', async () => {
    const bytes = new Uint8Array(LARGE).fill(7);
    const contents = await storeOf(bytes);
    await bytesOf(await readChecked(contents, jobOf(bytes)));
    for (const part of contents.parts) expect(part!.end - part!.first).toBeLessThanOrEqual(PART_BYTES);
  });

  it('reads only the requested part of a large document', async () => {
    const bytes = new Uint8Array(LARGE).map((_, at) => at % 251);
    const contents = await storeOf(bytes);
    const part = { first: 1_000, end: 1_010 };
    const found = await bytesOf(await readChecked(contents, jobOf(bytes), part));
    expect(found.equals(bytes.subarray(1_000, 1_010))).toBe(true);
    for (const read of contents.parts) expect(read!.end - read!.first).toBeLessThanOrEqual(10);
  });

  it('detects a large document that is too short', async () => {
    const bytes = new Uint8Array(LARGE);
    const contents = await storeOf(bytes.subarray(1));
    expect(await readChecked(contents, jobOf(bytes))).toEqual({ state: 'damaged' });
    const end = { first: LARGE - 1, end: LARGE };
    expect(await readChecked(contents, jobOf(bytes), end)).toEqual({ state: 'damaged' });
  });

  it('fails a stream whose document vanishes', async () => {
    const bytes = new Uint8Array(LARGE);
    const contents = await storeOf(bytes);
    const found = await readChecked(contents, jobOf(bytes));
    await contents.delete('job-1');
    await expect(bytesOf(found)).rejects.toThrow('ended before its size');
  });
});
