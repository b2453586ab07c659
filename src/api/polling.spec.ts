import type { FastifyRequest } from 'fastify';
import { EventEmitter } from 'node:events';
import { ManualClock } from '../../test/kit/manual-clock.js';
import { Waiters } from '../async/waiters.js';
import { RecentRestore } from '../contexts/recovery/index.js';
import { isCurrent, lookUntil, waitSeconds } from './polling.js';
import { Validators } from './validators.js';

const validators = new Validators(new RecentRestore());
const pageEtag = (parts: readonly string[]) => validators.ofPage(parts);

describe('comparing ETags', () => {
  const etag = validators.ofRevision(7);

  it('matches its own tag, weak or strong, alone or in a list', () => {
    for (const given of [etag, '"7"', `"6", ${etag}`, `W/"a,b" ,"7"`, '*', ' * '])
      expect(isCurrent(given, etag)).toBe(true);
  });

  it('matches no other tag and no other text', () => {
    for (const given of [undefined, '', '7', '"70"', 'W/"6"', 'w/7', '"7', '**'])
      expect(isCurrent(given, etag)).toBe(false);
  });

  it('depends on the items of a page and their order', () => {
    expect(pageEtag(['a 1', 'b 2'])).toBe(pageEtag(['a 1', 'b 2']));
    expect(pageEtag(['a 1', 'b 2'])).toMatch(/^W\/"[\w-]{22}"$/);
    for (const other of [['a 1'], ['b 2', 'a 1'], ['a 1', 'b 3'], []])
      expect(pageEtag(other)).not.toBe(pageEtag(['a 1', 'b 2']));
  });
});

describe('reading Prefer: wait', () => {
  it.each([
    ['wait=1', 1],
    ['wait=25', 25],
    ['Wait = 10', 10],
    ['respond-async, wait=5', 5],
    ['wait=5; strict=true, wait=7', 5],
    ['wait=0005', 5],
    ['wait=26', 25],
    ['wait=999999999', 25],
  ])('takes %j as %d seconds', (prefer, seconds) => {
    expect(waitSeconds(prefer)).toBe(seconds);
  });

  it.each([
    undefined,
    '',
    'wait',
    'wait=',
    'wait=0',
    'wait=-1',
    'wait=1.5',
    'wait=abc',
    'await=5',
    'wait=1e1',
  ])('ignores %j', (prefer) => {
    expect(waitSeconds(prefer)).toBeUndefined();
  });
});

describe('waiting for a change', () => {
  it('ends waits of about the same end together, and none after its time', async () => {
    const clock = new ManualClock();
    const waiters = new Waiters(clock);
    const request = { raw: { socket: new EventEmitter() } } as unknown as FastifyRequest;
    const ended: string[] = [];
    const wait = async (name: string) => {
      const waiter = waiters.open('changes');
      await lookUntil(
        { waiter, seconds: 5, request, clock },
        () => Promise.resolve(name),
        () => false,
      );
      ended.push(name);
    };
    const advance = async (ms: number) => {
      clock.advance(ms);
      await new Promise(setImmediate);
    };
    clock.advance(1_000);
    const all = [wait('first')];
    await advance(450);
    all.push(wait('second'));
    await advance(4_549);
    expect(ended).toEqual([]);
    await advance(1);
    expect(ended).toEqual(['first', 'second']);
    await Promise.all(all);
  });
});
