import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { MemoryRateCounters } from '../app/system/memory-rate-counters.js';
import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';
import { dial, exchange, head } from '../../test/kit/http/raw.js';
import { ManualClock } from '../../test/kit/manual-clock.js';
import { Connections } from './connections.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('serving the requests of a connection', () => {
  const around = (connections = new Connections()) => {
    const socket = Object.assign(new EventEmitter(), { isDestroyed: false, destroy: () => {} });
    socket.destroy = () => {
      socket.isDestroyed = true;
      socket.emit('close');
    };
    const served: number[] = [];
    const answers: EventEmitter[] = [];
    const send = (count: number) => {
      for (let n = 0; n < count; n++) {
        answers.push(new EventEmitter());
        connections.admit({ socket, url: '/v1' } as never, answers.at(-1)!, () => served.push(n));
      }
    };
    return { send, answer: () => answers.shift()!.emit('finish'), served, socket };
  };

  it('serves one at once, sixteen in later turns, and the others after answers', async () => {
    const { send, answer, served } = around();
    send(18);
    expect(served).toHaveLength(1);
    for (let n = 0; n < 40; n++) await turn();
    expect(served).toHaveLength(16);
    answer();
    await turn();
    expect(served.slice(16)).toEqual([16]);
    answer();
    await turn();
    expect(served.slice(16)).toEqual([16, 17]);
  });

  it('ends a connection with more than 4,096 waiting requests', async () => {
    const { send, answer, served, socket } = around();
    send(1 + 4_096);
    expect(socket.isDestroyed).toBe(false);
    send(1);
    expect(socket.isDestroyed).toBe(true);
    answer();
    for (let n = 0; n < 3; n++) await turn();
    expect(served).toHaveLength(1);
  });

  it('serves other connections while one has 4,096 waiting requests', () => {
    const connections = new Connections();
    const greedy = around(connections);
    greedy.send(1 + 4_096);
    const other = around(connections);
    other.send(1 + 16);
    expect([greedy.socket.isDestroyed, other.socket.isDestroyed]).toEqual([false, false]);
    expect(other.served).toHaveLength(1);
  });
});

describe('requests sent ahead of their answers', () => {
  let demo: Demo;
  beforeAll(async () => void (demo = await startDemo({ rateLimitFactor: 0 })));
  afterAll(() => demo.close());

  const get = (key: string, id: string, ...lines: string[]) =>
    head(
      'GET /v1/demo-things HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${key}`,
      `X-Correlation-Id: ${id}`,
      ...lines,
    );

  it('are answered in their order', async () => {
    const ids = Array.from({ length: 200 }, (_, n) => `request-${n}`);
    const requests =
      ids.map((id) => get('full', id)).join('') + get('full', 'last-request', 'Connection: close');
    const { text } = await exchange(demo.port, requests);
    expect([...text.matchAll(/x-svc-correlation-id: (\S+)/g)].map(([, id]) => id)).toEqual([
      ...ids,
      'last-request',
    ]);
  });

  it('end with the tenth failed authentication of a connection', async () => {
    const answer = await exchange(demo.port, get('wrong', 'wrong-request').repeat(500));
    expect(answer).toMatchObject({ status: 401, answers: 10 });
    expect(answer.text.match(/connection: close/gi)).toHaveLength(1);
  });
});

describe('a client that closes its half of the connection after a request', () => {
  it('gets the answer, and the connection ends', async () => {
    let seeEnd = () => {};
    const ended = new Promise<void>((resolve) => void (seeEnd = resolve));
    /** Counts no request before the server has seen the end of what its client sends. */
    class LateCounters extends MemoryRateCounters {
      override async add(...given: Parameters<MemoryRateCounters['add']>) {
        await ended;
        return super.add(...given);
      }
    }
    const demo = await startDemo({ rateCounters: new LateCounters(new ManualClock()) });
    demo.app.getHttpServer().on('connection', (socket: Socket) => socket.once('end', seeEnd));
    const { socket, next } = await dial(demo.port);
    socket.end(head('GET /v1/demo-things HTTP/1.1', 'Host: a', 'Authorization: Bearer full'));
    expect(await next(() => false)).toMatchObject({ status: 200, answers: 1 });
    await demo.close();
  });
});
