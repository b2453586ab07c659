import { WriterClient } from './writer-client.js';
import { NOON } from '../../../test/kit/recorded.js';
import { WriterHost } from './writer-host.js';
import type { Answer, WriterRequest } from './writer-messages.js';

const request: WriterRequest = { kind: 'write', sql: '', values: [] };
const PACK = { kind: 'pack', rule: { before: NOON, categories: [] } } as const;
const REBUILD = { kind: 'rebuild', view: 'a-view' } as const;
const diskFull = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

/** A client and a host with a scripted writer. @param unbuildable a view whose rebuild fails */
async function around(
  run: (requests: readonly WriterRequest[]) => Answer[],
  pack?: () => Generator<void, number>,
  unbuildable?: string,
) {
  const fatal: string[] = [];
  const batches: number[] = [];
  const rebuilds: (readonly string[])[] = [];
  const writer = {
    run(requests: readonly WriterRequest[]) {
      batches.push(requests.length);
      return run(requests);
    },
    *rebuild(views: readonly string[]) {
      rebuilds.push(views);
      yield;
      if (views.some((view) => view === unbuildable)) throw new Error('cannot fold');
      yield;
    },
    pack: pack ?? nothingToPack,
    takeChangedViews: () => [],
    close: () => undefined,
  };
  const client = new WriterClient({ onFatal: (error) => fatal.push(error.message) });
  const host = new WriterHost(writer, (message) => client.receive(message));
  client.connect((message) => host.receive(message));
  const submit = () => client.submit(request, ({ kind }) => kind);
  return { client, submit, fatal, batches, rebuilds };
}

function* nothingToPack(): Generator<void, number> {
  yield;
  return 0;
}

const done = (requests: readonly WriterRequest[]) =>
  requests.map((): Answer => ({ kind: 'done', changes: 1 }));

describe('writing in groups', () => {
  it('commits half of the waiting appends together, up to a limit, and few of them at once', async () => {
    const { submit, batches } = await around(done);
    await Promise.all(Array.from({ length: 300 }, submit));

    expect(batches).toEqual([128, 86, 43, 32, 11]);
  });

  it('runs rebuild steps between commits', async () => {
    const { client, submit } = await around(done);
    const order: string[] = [];
    await Promise.all([
      client.perform(REBUILD).then(() => order.push('rebuilt')),
      submit().then(() => order.push('written')),
    ]);

    expect(order).toEqual(['written', 'rebuilt']);
  });
});

describe('rebuilding views', () => {
  it('reads the events once for all that wait, each once, before what came after them', async () => {
    const { client, rebuilds } = await around(done);
    const order: string[] = [];
    const views = ['a-view', 'b-view', 'a-view'];
    await Promise.all([
      ...views.map((view) => client.perform({ kind: 'rebuild', view }).then(() => order.push(view))),
      client.perform(PACK).then(() => order.push('packed')),
      client.perform(REBUILD).then(() => order.push('again')),
    ]);

    expect(rebuilds).toEqual([['a-view', 'b-view'], ['a-view']]);
    expect(order).toEqual([...views, 'packed', 'again']);
  });

  it('builds the others if one of them cannot be built', async () => {
    const { client, rebuilds } = await around(done, undefined, 'b-view');
    const views = ['a-view', 'b-view', 'c-view'];
    const built = await Promise.allSettled(views.map((view) => client.perform({ kind: 'rebuild', view })));
    await client.perform(REBUILD);

    expect(built.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(rebuilds).toEqual([views, ['a-view'], ['b-view'], ['c-view'], ['a-view']]);
  });
});

describe('work that fails at its start', () => {
  it('fails without blocking writes', async () => {
    const { client, submit, fatal } = await around(done, () => {
      throw new Error('no such column');
    });
    await expect(client.perform(PACK)).rejects.toThrow('no such column');
    expect([await submit(), fatal]).toEqual(['done', []]);
  });
});

describe('a commit that fails', () => {
  const failing = () => {
    throw diskFull;
  };

  it('rejects the whole batch with an unknown outcome and notifies the process once', async () => {
    const { submit, fatal } = await around(failing);
    const outcomes = await Promise.allSettled([submit(), submit()]);

    expect(outcomes).toMatchObject([{ reason: { outcome: 'unknown' } }, { reason: { outcome: 'unknown' } }]);
    expect(fatal).toEqual([diskFull.message]);
  });

  it('refuses what waits already', async () => {
    const { submit, batches } = await around(failing);
    await Promise.allSettled(Array.from({ length: 100 }, submit));

    expect(batches).toEqual([50]);
  });

  it('stops all later writes', async () => {
    const { client, submit, fatal, batches } = await around(failing);
    await submit().catch(() => undefined);

    await expect(submit()).rejects.toMatchObject({ outcome: 'not_written', message: diskFull.message });
    await expect(client.perform(REBUILD)).rejects.toThrow(diskFull.message);
    expect(() => client.check()).toThrow(diskFull.message);
    expect(batches).toEqual([1]);
    expect(fatal).toHaveLength(1);
    await client.close();
  });
});

describe('closing the writer', () => {
  it('finishes the queued writes and refuses later ones', async () => {
    const { client, submit, batches } = await around(done);
    const before = submit();
    const closed = client.close();

    await expect(submit()).rejects.toMatchObject({ outcome: 'not_written' });
    await closed;
    expect(await before).toBe('done');
    expect(batches).toEqual([1]);
  });

  it('aborts a rebuild in progress', async () => {
    const { client } = await around(done);
    const rebuilt = client.perform(REBUILD);
    await Promise.all([expect(rebuilt).rejects.toThrow('closing'), client.close()]);
  });
});
