import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { readLogState } from '../../src/event-sourcing/embedded/write-ahead-log.js';
import { plus } from '../../src/kernel/time.js';
import { NOON } from '../kit/recorded.js';
import { inProcess } from '../kit/stores.js';
import { implementations, sampleModule, storesOf } from './implementations.js';
import { begin, burnt, closed, goOn, written } from './sample-appends.js';
import { notes, type Note } from './sample-views.js';
import { DataDirLockedError } from '../../src/kernel/errors.js';

const fixture = storesOf(implementations.find(({ name }) => name === 'sqlite, writer in the process')!);

const open = (projectionsUrl = sampleModule(fixture.folder)) =>
  openEmbeddedStores({ dataDir: fixture.folder, clock: fixture.clock, threads: inProcess, projectionsUrl });

/** The sample views of a later release. */
function changedModule(name: string, change: (code: string) => string): string {
  sampleModule(fixture.folder);
  const file = join(fixture.folder, name);
  writeFileSync(file, change(readFileSync(join(fixture.folder, 'sample-views.mjs'), 'utf8')));
  return pathToFileURL(file).href;
}

describe('opening a folder', () => {
  it('is refused while it is open', async () => {
    await expect(open()).rejects.toBeInstanceOf(DataDirLockedError);
    await fixture.stores.close();
    await (await open()).close();
  });

  it('is refused while another process has it open, and allowed after that was killed', async () => {
    await fixture.stores.close();
    const program = join(fixture.folder, 'hold-open.mjs');
    writeFileSync(program, holdOpen(fixture.folder));
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await expect(open()).rejects.toThrow('in use by another process');

    child.kill('SIGKILL');
    await once(child, 'exit');
    const stores = await open();
    expect(await stores.events.load('note-held')).toHaveLength(1);
    expect((await stores.maintenance.verify()).every(({ equal }) => equal)).toBe(true);
    await stores.close();
  });

  it('deletes documents that a crash left incomplete', async () => {
    await fixture.stores.close();
    const unfinished = join(fixture.folder, 'content', 'unfinished');
    mkdirSync(unfinished, { recursive: true });
    writeFileSync(join(unfinished, 'job-1'), 'half');
    await (await open()).close();

    expect(readdirSync(unfinished)).toEqual([]);
  });

  it('removes the rest of an interrupted commit from the log', async () => {
    await fixture.append(begin('note-1', written('x')));
    const dataDir = join(fixture.folder, 'cut-off');
    mkdirSync(dataDir);
    for (const name of ['rps.db', 'rps.db-wal']) cpSync(join(fixture.folder, name), join(dataDir, name));
    const log = readFileSync(join(dataDir, 'rps.db-wal'));
    writeFileSync(join(dataDir, 'rps.db-wal'), log.fill(0, log.length - 600));
    expect(readLogState(dataDir)).toEqual({ hasRest: true });
    const projectionsUrl = sampleModule(fixture.folder);
    const stores = await openEmbeddedStores({
      dataDir,
      clock: fixture.clock,
      threads: inProcess,
      projectionsUrl,
    });

    expect(readLogState(dataDir)).toEqual({ hasRest: false });
    await stores.close();
  });

  it('rebuilds a view whose definition has changed', async () => {
    await fixture.append(
      begin('note-1', written('x')),
      begin('note-2', written('y')),
      goOn('note-1', 0, burnt()),
    );
    await fixture.stores.close();
    const url = changedModule('later.mjs', (code) =>
      code
        .replace(/name: ['"]notes['"],\s*version: 1/, "name: 'notes', version: 2")
        .replace('changes: 0', 'changes: 100'),
    );
    const stores = await open(url);

    expect(await stores.views.get<Note>(notes.view, '2')).toMatchObject({ changes: 100 });
    expect(await stores.views.count(notes.view, { account: 'a' })).toBe(1);
    expect(await stores.maintenance.list()).toContainEqual(
      expect.objectContaining({ name: 'notes', version: 2 }),
    );
    await stores.close();
  });

  it('rebuilds a view that missed writes', async () => {
    await fixture.append(begin('note-1', written('x')));
    await fixture.stores.close();
    const withoutNotes = changedModule(
      'without.mjs',
      (code) => `${code.replace('export const projections', 'const all')}
        export const projections = all.filter(({ view }) => view.name !== 'notes');`,
    );
    const without = await open(withoutNotes);
    expect((await without.maintenance.list()).map(({ name }) => name)).toEqual(['note-pages', 'timers']);
    await without.events.append(goOn('note-1', 0, closed()));
    await without.close();
    const stores = await open();

    expect(await stores.views.get<Note>(notes.view, '1')).toMatchObject({ status: 'closed' });
    await stores.close();
  });
});

describe('heartbeats', () => {
  it('reach the disk within the flush interval', async () => {
    await fixture.stores.liveness.recordHeartbeat(['computer:1'], NOON);
    fixture.clock.advance(5_000);
    await fixture.append(begin('note-1', written()));
    await fixture.stores.liveness.recordHeartbeat(['computer:1'], plus(NOON, 9_000));
    const copy = join(fixture.folder, 'copy');
    mkdirSync(copy);
    for (const file of readdirSync(fixture.folder).filter((name) => name.startsWith('rps.db'))) {
      writeFileSync(join(copy, file), readFileSync(join(fixture.folder, file)));
    }
    const crashed = await openEmbeddedStores({
      dataDir: copy,
      clock: fixture.clock,
      threads: inProcess,
      projectionsUrl: sampleModule(copy),
    });

    expect(await crashed.liveness.lastHeartbeats(['computer:1'])).toEqual([NOON]);
    await crashed.close();
  });
});

/** A program that opens the folder, appends once, reports it and keeps running. */
function holdOpen(folder: string): string {
  const built = resolve('dist/src/event-sourcing/embedded/embedded-stores.js');
  if (!existsSync(built)) throw new Error('run `npm run build` first');
  const append = JSON.stringify(begin('note-held', written()));
  return `
    import { openEmbeddedStores } from ${JSON.stringify(pathToFileURL(built).href)};
    const clock = { now: () => '${NOON}', after: () => () => undefined };
    const stores = await openEmbeddedStores({
      dataDir: ${JSON.stringify(folder)}, clock, projectionsUrl: ${JSON.stringify(sampleModule(folder))},
    });
    await stores.events.append(${append});
    console.log('open');
    setInterval(() => undefined, 1_000);`;
}
