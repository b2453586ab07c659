import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import { jobLines } from './job-search.controller.js';

const job = (over: Partial<JobDocument>) =>
  ({
    job_id: 'job-1',
    status: 'queued',
    copies: 1,
    attempt_count: 0,
    created_at: '2026-11-25T12:00:00.000Z',
    updated_at: '2026-11-25T12:00:00.000Z',
    ...over,
  }) as JobDocument;

/** Pages of the list, each as often as it is given. */
async function linesOf(limit: number, ...pages: readonly JobDocument[][]): Promise<string[]> {
  let page = 0;
  const find = async ({ limit: most }: { limit: number }) => {
    const documents = pages[page++]!.slice(0, most);
    return { documents, positions: [], ...(page < pages.length && { next: String(page) }) };
  };
  const parts: string[] = [];
  for await (const part of jobLines(find, { limit })) parts.push(part);
  return parts.join('').split('\r\n').slice(0, -1);
}

describe('the table of jobs', () => {
  it('begins with a byte order mark and the names of the columns', async () => {
    const [first] = await linesOf(10, []);
    expect(first).toMatch(/^\ufeffJob id,Title,External id,Status,/);
  });

  it('quotes commas, quotes and line breaks', async () => {
    const [, line] = await linesOf(10, [job({ title: 'two, "big"', failure_message: 'a\nb' })]);
    expect(line).toBe(
      'job-1,"two, ""big""",,queued,,,1,2026-11-25T12:00:00.000Z,2026-11-25T12:00:00.000Z,,0,,"a\nb"',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('defuses the formula %j', async (title) => {
    const [, line] = await linesOf(10, [job({ title })]);
    expect(line).toContain(`'${title}`);
  });

  it('defuses a formula that is quoted', async () => {
    const [, line] = await linesOf(10, [job({ title: '=HYPERLINK("http://x","y")' })]);
    expect(line).toContain(`,"'=HYPERLINK(""http://x"",""y"")",`);
  });

  it('goes on after pages without a match', async () => {
    expect(await linesOf(10, [job({})], [], [job({ job_id: 'job-2' })])).toHaveLength(3);
  });

  it('says when older jobs are left out', async () => {
    const page = [job({}), job({})];
    expect((await linesOf(3, page, page)).at(-1)).toMatch(/^job-1/);
    expect((await linesOf(3, page, page, page)).at(-1)).toMatch(/^Older jobs are left out/);
    expect((await linesOf(4, ...Array.from({ length: 50 }, () => []))).at(-1)).toMatch(/^Older jobs/);
  });
});
