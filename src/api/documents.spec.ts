import { Readable } from 'node:stream';
import { FakeContentStore } from '../../test/kit/fakes/content-store.js';
import type { JobDocument } from '../../projections/job-view/job-view.js';
import { sha256 } from '../kernel/ids.js';
import { Documents } from './documents.js';

const bytes = new Uint8Array(300_000);
const job = (accountId: string) =>
  ({
    job_id: 'job-1',
    account_id: accountId,
    content_hash: sha256(bytes),
    content_size_bytes: bytes.byteLength,
  }) as JobDocument;

describe('sending large documents', () => {
  let documents: Documents;
  beforeEach(async () => {
    const contents = new FakeContentStore();
    await contents.put('job-1', bytes);
    documents = new Documents(contents);
  });

  const open = async (account: string, owner: string) => {
    const found = await documents.open(job(account), owner);
    return (found as { body: Readable }).body;
  };

  it('lets a third download of a computer wait until one is closed unread', async () => {
    const first = await open('a', 'pc-1');
    await open('a', 'pc-1');
    let isOpen = false;
    const third = open('a', 'pc-1').then((body) => ((isOpen = true), body));
    await open('a', 'pc-2');
    expect(isOpen).toBe(false);
    first.destroy();
    expect(await third).toBeInstanceOf(Readable);
  });

  it('refuses more waiting downloads of an account than 64, not those of others', async () => {
    for (let n = 0; n < 66; n++) void open('a', 'pc-1');
    await expect(open('a', 'pc-1')).rejects.toMatchObject({
      key: 'rateLimited',
      headers: { 'retry-after': '1' },
    });
    expect(await open('b', 'pc-9')).toBeInstanceOf(Readable);
  });

  it('frees the turn of a document that is missing', async () => {
    const missing = { ...job('a'), job_id: 'job-2' };
    for (let n = 0; n < 5; n++) expect(await documents.open(missing, 'pc-1')).toEqual({ state: 'missing' });
  });
});
