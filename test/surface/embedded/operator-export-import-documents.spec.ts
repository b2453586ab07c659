import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { TestService } from '../../kit/service.js';
import { createJob } from '../../kit/world.js';
import { exported, happened, live, startSource, startTarget, type Lived } from '../export-import.js';
import { rpsAt } from '../../kit/rps-at.js';

describe('exporting and importing documents', () => {
  let source: TestService;
  let target: TestService;
  let lived: Lived;
  let folder: string;
  let large: string;
  const bytes = randomBytes(100_000);

  beforeAll(async () => {
    source = await startSource('sqlite');
    lived = await live(source);
    const content = { type: 'raw', encoding: 'base64', data: bytes.toString('base64') };
    const created = await createJob(source, lived.account.key, lived.printerId, { content });
    large = String(created.body.data!.job_id);
    // Long enough for the deletion of the printed job's document.
    await source.advance(80_000_000);
    await source.advance(10_000_000);
    await happened(source, 'ContentPurged');
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rps-documents-'));
    target = await startTarget('sqlite', source);
    await rpsAt(target, ['events', 'import'], await exported(source));
  });
  afterEach(async () => {
    await target.close();
    await rm(folder, { recursive: true });
  });
  afterAll(() => source.close());

  const printed = async (service: TestService, ...words: string[]) => {
    const { code, out, err } = await rpsAt(service, ['contents', ...words, folder]);
    if (code !== 0) throw new Error(err);
    return JSON.parse(out) as Record<string, number>;
  };
  const put = (jobId: string, data: string) =>
    target.call('PUT', `/operator/contents/${jobId}`, {
      as: target.operatorToken,
      json: { content: { type: 'raw', encoding: 'base64', data } },
    });

  it('transfers the document of every job that may still print', async () => {
    const { saved } = await printed(source, 'export');
    const files = await readdir(folder);
    expect(files).toHaveLength(saved!);
    expect(files).toContain(large);
    expect(files).not.toContain(lived.printed);
    expect(await printed(target, 'import')).toEqual({ stored: saved, known: 0, left_out: 0 });
    for (const jobId of files) {
      expect(Buffer.from((await target.stores.contents.get(jobId))!)).toEqual(
        await readFile(join(folder, jobId)),
      );
    }
    expect(Buffer.from((await target.stores.contents.get(large))!)).toEqual(bytes);
  });

  it('continues after an interruption', async () => {
    const { saved } = await printed(source, 'export');
    await writeFile(join(folder, large), bytes.subarray(0, 10));
    expect(await printed(source, 'export')).toEqual({ saved: 1, known: saved! - 1, missing: 0, damaged: 0 });
    await put(large, bytes.toString('base64'));
    expect(await printed(target, 'import')).toEqual({ stored: saved! - 1, known: 1, left_out: 0 });
  });

  it('refuses bytes with another hash', async () => {
    const { status, body } = await put(large, 'AAAA');
    expect([status, body.code]).toEqual([422, 'CONTENT_MISMATCH']);
    expect(await target.stores.contents.has(large)).toBe(false);
  });

  it('refuses the document of an unknown job', async () => {
    const unknown = await put('0193b1c0-0000-7000-8000-000000000001', 'AAAA');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'JOB_NOT_FOUND']);
  });

  it('skips documents that are no longer needed', async () => {
    const data = Buffer.from('Hello, printer').toString('base64');
    expect((await put(lived.printed, data)).body.data).toMatchObject({ stored: false });
    expect(await target.stores.contents.has(lived.printed)).toBe(false);
  });

  it('answers 404 for a deleted document', async () => {
    const path = `/operator/contents/${lived.printed}`;
    const { status, body } = await source.call('GET', path, { as: source.operatorToken });
    expect([status, body.code]).toEqual([404, 'CONTENT_NOT_FOUND']);
  });

  it('reports an unreadable folder', async () => {
    const { code, err } = await rpsAt(target, ['contents', 'import', join(folder, 'none')]);
    expect([code, err]).toEqual([1, expect.stringMatching(/^rps: .*none cannot be used: ENOENT/)]);
  });
});
