import type { Answer, Driver } from './driver.js';
import { ScriptedServer, type Scripted } from './scripted-server.js';
import { cursors, keys, retries, webhooks } from './vectors.js';

const call = { do: 'call', arguments: { job_id: 'a', printer_id: 'p', text: 'x' } } as const;

/** The vectors of sdks/vectors against a client. */
export function vectorSuite(driverOf: () => Driver): void {
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await ScriptedServer.start();
  });
  afterAll(() => server.close());

  const play = (command: object, script: readonly Scripted[]): Promise<Answer> => {
    server.play(script);
    return driverOf().ask({ ...call, base_url: server.url, ...command });
  };
  const sentKeys = () => server.received.map(({ headers }) => headers['idempotency-key']);

  it.each(webhooks.cases)('verifies webhooks: $name', async ({ expect: expected, ...given }) => {
    const { body_base64: body, tolerance_seconds: tolerance, secrets, headers, now } = given;
    const { result, error } = await driverOf().ask({ do: 'verify', body, tolerance, secrets, headers, now });
    if ('refused' in expected) expect(error).toMatchObject({ kind: 'webhook', reason: expected.refused });
    else expect(result).toEqual(expected);
  });

  it.each(retries.cases)('repeats calls: $name', async (vector) => {
    const { call: operation, script, max_retries, deadline, expect: expected } = vector;
    const scripted = script.map((name) => retries.answers[name]!);
    const { error, pauses } = await play({ operation, max_retries, deadline }, scripted);

    expect(server.received).toHaveLength(expected.requests);
    if (expected.error) expect(error).toMatchObject(expected.error);
    else expect(error).toBeUndefined();
    expect(pauses).toHaveLength(expected.pauses.length);
    for (const [index, [least, largest]] of expected.pauses.entries()) {
      expect(pauses![index]).toBeGreaterThanOrEqual(least);
      expect(pauses![index]).toBeLessThanOrEqual(largest);
    }
  });

  it.each(keys.cases)('sends idempotency keys: $name', async ({ call: operation, key, expect: { sent } }) => {
    const { ok, '429': later } = retries.answers;
    await play({ operation, key }, [later!, ok!]);
    const [first, again] = sentKeys();
    expect(again).toBe(first);
    if (sent === 'made') expect(first).toMatch(new RegExp(keys.made_pattern));
    else expect(first).toBe(sent === 'given' ? key : undefined);
  });

  it('makes another key for each call, and names it in the error', async () => {
    const lost = [retries.answers['no answer']!];
    const made = [];
    for (let calls = 0; calls < 2; calls++) {
      const { error } = await play({ operation: 'create' }, lost);
      expect(new Set(sentKeys())).toEqual(new Set([error!.key]));
      made.push(error!.key);
    }
    expect(made[0]).not.toBe(made[1]);
  });

  it.each(cursors.cases)('follows changes: $name', async ({ expect: expected, pages, name: _, ...given }) => {
    const { result, error } = await play({ ...given, do: 'changes' }, pages);
    const asked = server.received.map(({ url }) => new URL(url!, server.url).searchParams.get('after'));

    expect(asked).toEqual(expected.asked);
    if (expected.error) return expect(error).toMatchObject(expected.error);
    expect(result).toEqual({ items: expected.items, saved: expected.saved });
    for (const { headers } of server.received)
      expect(headers.prefer).toBe(given.follow ? 'wait=25' : undefined);
  });

  const { ok, '429': limited, 'no answer': lost, '502 of a proxy': proxy } = retries.answers;
  const { '503 that may be repeated': unavailable } = retries.answers;
  const printed = { body: { ...ok!.body, data: { job_id: 'a', status: 'spooler_completed' } } };
  const outage = (answers: number) =>
    Array.from({ length: answers }, (_, n) => [lost!, unavailable!, proxy!, limited!][n % 4]!);

  it('follows changes through an outage of any length', async () => {
    const { pages, stored } = cursors.cases.find(({ name }) => name === 'goes on after the stored cursor')!;
    const answers = 1_100;
    const command = { do: 'changes', follow: true, take: 1, stored, max_retries: 1 };
    const { result, pauses } = await play(command, [...outage(answers), ...pages]);
    expect(result).toMatchObject({ items: ['e3'] });
    expect(pauses).toHaveLength(answers);
    expect(Math.max(...pauses!)).toBeLessThanOrEqual(8);
  });

  it('waits for a job through an outage', async () => {
    const script = [...outage(9), ok!, ...outage(9), printed];
    const { result } = await play({ operation: 'wait', max_retries: 1 }, script);
    expect(result).toMatchObject({ outcome: 'completed' });
  });

  it('ends a wait in an outage when its time is over', async () => {
    for (const limit of [{ deadline: 2 }, { arguments: { job_id: 'a', timeout: 0.5 } }]) {
      const { error } = await play({ operation: 'wait', ...limit }, [ok!, lost!]);
      expect(error).toMatchObject({ kind: 'wait_timeout' });
    }
  });

  it('names the time of the backup that the service was restored from', async () => {
    const backup = '2026-11-22T12:00:00.000Z';
    const restored = { ...ok!, headers: { 'service-restored-from': backup } };
    for (const operation of ['create', 'retry', 'reprint']) {
      const { result } = await play({ operation }, [restored]);
      expect(result).toMatchObject({ restored_from: backup });
      expect((await play({ operation }, [ok!])).result).toMatchObject({ restored_from: null });
    }
  });

  let waits = 0;
  it.each([
    [undefined, 'all', [ok!]],
    [1_000, 'all', [ok!]],
    [undefined, 'one', [ok!, { hang: true as const }]],
  ])('waits for a job no longer than its deadline (timeout %s, %s answered)', async (timeout, _, script) => {
    let error: Answer['error'];
    let asked = 0;
    for (let deadline = 0.3; asked < 2 && deadline < 30; deadline *= 4) {
      const job_id = `job-${waits++}`;
      const command = { operation: 'wait', deadline, arguments: { job_id, timeout } };
      ({ error } = await play(command, script));
      // On a slow machine the first look alone may take longer, or the last request of a wait before takes its answer.
      asked = server.received.filter(({ url }) => url?.includes(job_id)).length;
    }
    expect(error).toMatchObject({ kind: 'wait_timeout' });
  });

  it('names the cause of a connection that fails', async () => {
    const closed = await ScriptedServer.start();
    const base_url = closed.url;
    await closed.close();
    const { error } = await play({ operation: 'get', max_retries: 0, base_url }, [ok!]);
    expect(error!.message).toMatch(/was not answered .*(refused|couldn't connect)/i);
  });

  it('shows its key to the service, and in no error', async () => {
    for (const answer of [retries.answers['no answer']!, retries.answers['401']!]) {
      const { error } = await play({ operation: 'get', max_retries: 0 }, [answer]);
      expect(server.received[0]!.headers.authorization).toBe('Bearer svc_live_secret');
      expect(error!.text).not.toContain('svc_live_secret');
    }
  });
}
