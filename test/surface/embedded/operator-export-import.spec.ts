import type { TestService } from '../../kit/service.js';
import { exported, kept, live, startSource, startTarget } from '../export-import.js';
import { exportsAndImports } from '../export-import-events.contract.js';

describe('exporting and importing events between data folders', () => exportsAndImports('sqlite', 'sqlite'));

describe('importing conflicting events', () => {
  let source: TestService;
  let target: TestService;
  let lines: string[];
  beforeAll(async () => {
    source = await startSource('memory');
    await live(source);
    lines = (await exported(source)).trimEnd().split('\n');
  });
  beforeEach(async () => {
    target = await startTarget('memory', source);
  });
  afterEach(() => target.close());
  afterAll(() => source.close());

  const send = (service: TestService, events: readonly object[]) =>
    service.call('POST', '/operator/events', { as: service.operatorToken, json: { events } });
  const withHashes = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const events = () => withHashes().map(({ body_hash: _, ...event }) => event);
  const ofJob = () => events().filter(({ stream }) => String(stream).startsWith('job-'));

  it('is refused while a worker runs, because its timers would fire during the import', async () => {
    const { status, body } = await send(source, events());
    expect([status, body.code]).toEqual([409, 'WORKER_RUNNING']);
  });

  it.each<[string, (event: Record<string, unknown>) => object]>([
    ['another event', (event) => ({ ...event, event_id: '00000000-0000-7000-8000-00000000000f' })],
    ['another type', (event) => ({ ...event, type: 'JobDreamt' })],
    ['other data', (event) => ({ ...event, data: {} })],
    [
      'another cause',
      (event) => ({ ...event, metadata: { ...(event.metadata as object), correlationId: 'x' } }),
    ],
  ])('names the stream with %s', async (_, change) => {
    const [first] = ofJob();
    await send(target, [first!]);
    const { status, body } = await send(target, [change(first!)]);
    expect([status, body.code, body.message]).toEqual([
      409,
      'STREAM_DIFFERS',
      `The stream ${String(first!.stream)} differs at revision 0.`,
    ]);
  });

  it.each<[string, (event: Record<string, unknown>) => object]>([
    ['was changed', (event) => ({ ...event, type: 'JobDreamt' })],
    ['has other keys first', ({ data, ...event }) => ({ ...event, data: turned(data as object) })],
  ])('refuses an event that %s since its export', async (_, change) => {
    const [first] = withHashes().filter(({ type }) => type === 'JobCreated');
    const { status, body } = await send(target, [change(first!)]);
    expect([status, body.message]).toEqual([
      ...[400, `events[0]: event 0 of ${String(first!.stream)} is not as it was exported.`],
    ]);
    expect((await send(target, [first!])).body.data).toMatchObject({ appended: 1 });
  });

  it('leaves no gap in a stream', async () => {
    const [first, second, third] = ofJob();
    await send(target, [first!]);
    const { body } = await send(target, [third!, second!]);
    expect(body).toMatchObject({ code: 'STREAM_DIFFERS' });
    expect(await kept(target)).toHaveLength(1);
  });

  it('does not overwrite a stream with newer events', async () => {
    const [first, second, third] = ofJob();
    await send(target, [first!, second!]);
    expect((await send(target, [first!])).body.data).toEqual({ appended: 0, known: 1, left_out: 0 });
    const other = { ...second!, event_id: '00000000-0000-7000-8000-00000000000f' };
    expect((await send(target, [first!, other, third!])).body).toMatchObject({ code: 'STREAM_DIFFERS' });
  });

  it.each<[string, object]>([
    ['event_id', { event_id: 7 }],
    ['stream', { stream: 'job/../x' }],
    ['type', { type: 'drop table' }],
    ['revision', { revision: -1 }],
    ['data', { data: [] }],
    ['metadata', { metadata: { at: 'now' } }],
    ['secret', { secret: true }],
  ])('names the fault: %s', async (field, wrong) => {
    const [first] = events();
    const { status, body } = await send(target, [first!, { ...first!, ...wrong }]);
    expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(body.message).toMatch(new RegExp(`^events\\[1\\]: ${field} `));
    expect(await kept(target)).toEqual([]);
  });
});

const turned = (value: object) => Object.fromEntries(Object.entries(value).reverse());
