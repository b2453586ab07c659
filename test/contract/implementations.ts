import { transformFileSync } from '@swc/core';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import Database from 'better-sqlite3';
import type { Append } from '../../src/event-sourcing/ports/event-store.port.js';
import type { Stores } from '../../src/event-sourcing/ports/stores.js';
import { ManualClock } from '../kit/manual-clock.js';
import { inProcess } from '../kit/stores.js';

export interface Implementation {
  readonly name: string;
  open(folder: string, clock: ManualClock, more?: { readonly readingUrl: string }): Promise<Stores>;
}

const BUILT = resolve('dist/src/event-sourcing/embedded/embedded-stores.js');

const sqlite: Implementation = {
  name: 'sqlite, writer in the process',
  open: (dataDir, clock) =>
    openEmbeddedStores({ dataDir, clock, threads: inProcess, projectionsUrl: sampleModule(dataDir) }),
};

/** The thread loads JavaScript only, so it runs the build. */
const sqliteThread: Implementation = {
  name: 'sqlite, writer in its thread',
  async open(dataDir, clock, more) {
    if (!existsSync(BUILT)) throw new Error('run `npm run build` first');
    const built = (await import(pathToFileURL(BUILT).href)) as {
      openEmbeddedStores: typeof openEmbeddedStores;
    };
    return built.openEmbeddedStores({ dataDir, clock, projectionsUrl: sampleModule(dataDir), ...more });
  },
};

export const implementations: readonly Implementation[] = [sqlite, sqliteThread];

/** Stores in a separate folder for each test, closed and removed after it. */
export function storesOf(implementation: Implementation) {
  let stores: Stores;
  let folder: string;
  let clock: ManualClock;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rps-stores-'));
    clock = new ManualClock();
    stores = await implementation.open(folder, clock);
  });
  afterEach(async () => {
    await stores.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get stores() {
      return stores;
    },
    get folder() {
      return folder;
    },
    async append(...appends: Append[]) {
      for (const one of appends) await stores.events.append(one);
    },
    /** Modifies a note in the database file. */
    tamper(id: string) {
      tamperRow(join(folder, 'rps.db'), id);
    },
    get clock() {
      return clock;
    },
    async reopen() {
      await stores.close();
      stores = await implementation.open(folder, clock);
    },
  };
}

function tamperRow(file: string, id: string): void {
  const db = new Database(file);
  const { generation } = db.prepare(`SELECT generation FROM views WHERE name = 'notes'`).get() as {
    generation: number;
  };
  db.prepare(`UPDATE view_notes_${generation} SET f_account = 'tampered' WHERE id = ?`).run(id);
  db.close();
}

export type Fixture = ReturnType<typeof storesOf>;

/** The sample projections as a plain module for any thread. */
export function sampleModule(folder: string): string {
  const file = join(folder, 'sample-views.mjs');
  const { code } = transformFileSync(resolve('test/contract/sample-views.ts'), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'es6' },
  });
  writeFileSync(file, code);
  return pathToFileURL(file).href;
}
