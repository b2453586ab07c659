import { vectors } from '../../test/kit/evidence-vectors.js';
import { accountOf, bodyOf, entryOf, isLogged, leafHash } from './entry.js';

/** The event of a vector: its body is one event as stored, its entry tells stream and revision. */
function eventOf({ body, entry }: { body: string; entry: string }) {
  const [, account, seq, prev, stream, revision] = entry.split(' ') as string[];
  const { id, type, data, metadata } = JSON.parse(body) as Record<string, unknown>;
  const texts = { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
  const event = { id: String(id), type: String(type), stream: stream!, revision: Number(revision), ...texts };
  const before = prev === '-' ? undefined : prev;
  return { event, link: { account: account!, seq: Number(seq), prev: before } };
}

describe('entering an event', () => {
  it.each(vectors.entries)('gives body, entry and leaf hash of vector $leaf', (vector) => {
    const { event, link } = eventOf(vector);
    expect(bodyOf(event)).toBe(vector.body);
    expect(entryOf(link, event)).toBe(vector.entry);
    expect(leafHash(vector.entry)).toBe(vector.leafHash);
  });

  it('keeps the texts as stored, with any spaces and order', () => {
    const event = {
      ...{ id: 'i"', stream: 'a-1', revision: 0, type: 'T' },
      data: '{ "b":1,"a":2}',
      metadata: '{}',
    };
    expect(bodyOf(event)).toBe(String.raw`{"id":"i\"","type":"T","data":{ "b":1,"a":2},"metadata":{}}`);
  });
});

describe('choosing the account of a stream', () => {
  it.each([
    ['account-a1', '{"accountId":"other"}', 'a1'],
    ['webhooks-a1', '{}', 'a1'],
    ['members-a1', '{}', 'a1'],
    ['job-1', '{"accountId":"a1"}', 'a1'],
    ['job-1', '{"jobId":"1","accountId":"a1","of":{"accountId":"other"}}', 'a1'],
    ['job-1', '{"of":{"accountId":"other"},"accountId":"a1"}', 'a1'],
    ['job-1', String.raw`{"title":"\"","accountId":"a1"}`, 'a1'],
    ['job-1', String.raw`{"title":"\",\"accountId\":\"other\"","accountId":"a1"}`, 'a1'],
    ['job-1', String.raw`{"accountId":"a\u0031"}`, 'a1'],
    ['job-1', String.raw`{"title":"\"accountId\":\"other\""}`, 'system'],
    ['session-1', '{"user":{"accountId":"a1"}}', 'a1'],
    ['session-1', '{"user":{"name":"operator"}}', 'system'],
    ['partner-1', '{"name":"P"}', 'system'],
    ['job-1', '{"accountId":"a 1"}', 'system'],
    ['job-1', '{"accountId":7}', 'system'],
    ['job-1', 'null', 'system'],
  ])('%s with %s: %s', (stream, first, account) => {
    expect(accountOf({ stream, data: first, position: '1' })).toBe(account);
  });

  it('refuses a first event that is no JSON', () => {
    const damaged = { stream: 'job-1', revision: 0, position: '1' };
    expect(() => accountOf({ stream: 'job-1', data: '{"jobId":', position: '1' })).toThrow(
      expect.objectContaining(damaged),
    );
  });
});

describe('leaving out categories', () => {
  it.each(['claim', 'delivery', 'operatorToken', 'evidence'])('%s', (category) => {
    expect(isLogged(`${category}-1`)).toBe(false);
  });

  it('logs all others', () => {
    expect(isLogged('job-1')).toBe(true);
    expect(isLogged('claims-1')).toBe(true);
  });
});
