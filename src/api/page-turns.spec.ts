import type { FastifyRequest } from 'fastify';
import { EventEmitter } from 'node:events';
import { ManualClock } from '../../test/kit/manual-clock.js';
import { PageTurns } from './page-turns.js';

const MEGABYTE = 1_000_000;

class FakeSocket extends EventEmitter {
  destroyed = false;
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

describe('turns of pages', () => {
  const open = () => {
    const clock = new ManualClock();
    const turns = new PageTurns(clock);
    const begin = async (accountId: string, credentialId: string, socket = new FakeSocket()) => {
      const principal = { accountId, credentialId };
      const turn = turns.of({ principal, raw: { socket } } as unknown as FastifyRequest);
      await turn.begin();
      return turn;
    };
    /** Names of those that got a turn. */
    const served: string[] = [];
    const ask = (account: string, key: string) =>
      void begin(account, key).then(
        () => served.push(key),
        (error: Error) => served.push(error.message),
      );
    return { clock, begin, ask, served };
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('are four for a key and eight for an account until they are sent, whatever others hold', async () => {
    const { begin, ask, served } = open();
    const pages = [];
    for (const key of ['k1', 'k1', 'k1', 'k1', 'k2', 'k2', 'k2']) pages.push(await begin('a', key));
    ask('a', 'k1');
    ask('a', 'k2');
    ask('a', 'k3');
    ask('b', 'other');
    await settled();
    expect(served).toEqual(['k2', 'other']);
    pages[0]!.send(MEGABYTE)();
    await settled();
    expect(served).toEqual(['k2', 'other', 'k1']);
  });

  it('end with the connection', async () => {
    const { begin, ask, served, clock } = open();
    const socket = new FakeSocket();
    for (let page = 0; page < 4; page++) (await begin('a', 'k1', socket)).send(MEGABYTE);
    ask('a', 'k1');
    socket.destroy();
    (await begin('a', 'k2', socket)).send(MEGABYTE);
    await settled();
    expect([served, socket.listenerCount('close')]).toEqual([['k1'], 0]);
    expect(clock.pending).toBe(0);
  });

  it('end with a cut after 30 seconds in which the client did not read', async () => {
    const { begin, ask, served, clock } = open();
    const socket = new FakeSocket();
    for (let page = 0; page < 4; page++) (await begin('a', 'k1', socket)).send(MEGABYTE);
    clock.advance(1_000);
    ask('a', 'k1');
    clock.advance(29_000);
    await settled();
    expect([socket.destroyed, served]).toEqual([true, ['k1']]);
  });

  it('are refused to a request that waits for 30 seconds', async () => {
    const { begin, ask, served, clock } = open();
    for (let page = 0; page < 4; page++) await begin('a', 'k1');
    ask('a', 'k1');
    clock.advance(30_000);
    await settled();
    expect(served).toEqual(['Too many pages of changes at once.']);
  });
});
