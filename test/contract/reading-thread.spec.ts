import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Stores } from '../../src/event-sourcing/ports/stores.js';
import { LogBuilder } from '../../src/evidence/log-builder.js';
import { progressOf, type Progress } from '../../src/evidence/progress.js';
import { ManualClock } from '../kit/manual-clock.js';
import { implementations } from './implementations.js';
import { begin, goOn, written } from './sample-appends.js';

/** The thread loads JavaScript only, so these stores are those of the build. */
const { open } = implementations.find(({ name }) => name === 'sqlite, writer in its thread')!;
const BUILDER = pathToFileURL(resolve('dist/src/evidence/log-builder.js')).href;

let folder: string;
let stores: Stores;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'rps-reading-'))));
afterEach(async () => {
  await stores.close();
  rmSync(folder, { recursive: true, force: true });
});

/** With a thread that runs this code for each request. */
async function openWith(code: string): Promise<void> {
  const file = join(folder, 'reading.mjs');
  writeFileSync(file, `export const begin = ({ texts, hashes }) => async (request) => { ${code} };`);
  stores = await open(folder, new ManualClock(), { readingUrl: pathToFileURL(file).href });
}

const call = (request?: unknown) => stores.reading!.call(request);
const failureOf = (request?: unknown) =>
  call(request).then(String, (error: Error) => error) as Promise<Error>;

describe('the reading thread', () => {
  it('builds the same log as a builder in the process, both at once', async () => {
    stores = await open(folder, new ManualClock(), { readingUrl: BUILDER });
    for (let n = 0; n < 300; n++)
      await stores.events.append(begin(`note-${n}`, written(`Ä ${n}`, `account-${n % 3}`)));
    const beside = new LogBuilder(stores);
    const steps = [() => call(false) as Promise<Progress>, () => beside.advance()];
    for (let ends: readonly Progress[] = []; !ends[0]?.isAtEnd || !ends[1]?.isAtEnd;)
      ends = await Promise.all(steps.map((step) => step()));
    expect(await call(false)).toMatchObject({ size: 300, isAtEnd: true });
    expect(await call(false)).toEqual(progressOf(await stores.hashes.progress()));
    const hashes = await stores.hashes.get('t/0/0');
    await stores.hashes.clear();
    while (!(await beside.advance()).isAtEnd);
    expect(await stores.hashes.get('t/0/0')).toEqual(hashes);
  });

  (process.platform === 'linux' ? it : it.skip)('gives way to the threads that answer requests', async () => {
    await openWith(`
      const { readlinkSync } = await import('node:fs');
      const { getPriority } = await import('node:os');
      return getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)));`);
    expect(await call()).toBe(Math.min(getPriority() + 10, 19));
  });

  it('reads what was appended before the call', async () => {
    await openWith(
      'return (await texts.after(undefined, 9)).texts.map(({ data }) => JSON.parse(data).text);',
    );
    await stores.events.append(begin('note-1', written('one')));
    expect(await call()).toEqual(['one']);
    await stores.events.append(goOn('note-1', 0, written('two')));
    expect(await call()).toEqual(['one', 'two']);
  });

  it('starts again after it has ended, which is an error of the call', async () => {
    await openWith("if (request === 'end') process.exit(); return request;");
    expect(await call('first')).toBe('first');
    const error = await failureOf('end');
    expect([error.constructor.name, error.message]).toEqual([
      ...['UnavailableError', 'the reading thread ended: it was ended'],
    ]);
    expect(await call('second')).toBe('second');
  });

  it('gives errors of its module, and reads on', async () => {
    await openWith("if (request) throw new Error('no'); return (await texts.after(undefined, 9)).texts;");
    await expect(call(true)).rejects.toThrow('no');
    await stores.events.append(begin('note-1', written('one')));
    expect(await call()).toHaveLength(1);
  });

  it('ends with the stores, and is absent without a module', async () => {
    await openWith('await new Promise(() => undefined);');
    const waiting = expect(call()).rejects.toThrow('the reading thread ended');
    await stores.close();
    await waiting;
    await expect(call()).rejects.toThrow('the stores are closed');
    stores = await open(folder, new ManualClock());
    expect(stores.reading).toBeUndefined();
  });
});
