import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';
import { exchange, head } from '../../test/kit/http/raw.js';
import { NewConnections } from './new-connections.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

const around = () => {
  const clock = { ms: 1_000 };
  const connections = new NewConnections(() => clock.ms);
  const read: string[] = [];
  const refused: string[] = [];
  /** @param name begins with the letter of its address */
  const accept = (name: string) =>
    connections.accept(name[0]!, { read: () => void read.push(name), refuse: () => void refused.push(name) });
  return { clock, connections, accept, read, refused };
};

describe('new connections', () => {
  it('are read in the first turn without a further one', async () => {
    const { accept, read } = around();
    accept('a1');
    await turn();
    accept('b1');
    await turn();
    expect(read).toEqual([]);

    await turn();
    expect(read).toEqual(['a1', 'b1']);
  });

  it('are read after 20 ms although further ones are accepted', async () => {
    const { clock, accept, read } = around();
    accept('a1');
    clock.ms += 20;
    accept('b1');
    await turn();

    expect(read).toEqual(['a1', 'b1']);
  });

  it('are read four in a turn of the loop, and addresses take turns', async () => {
    const { clock, accept, read } = around();
    for (let n = 1; n <= 9; n++) accept(`a${n}`);
    accept('b1');
    clock.ms += 20;
    await turn();
    expect(read).toEqual(['a1', 'b1', 'a2', 'a3']);

    accept('c1');
    await turn();
    expect(read.slice(4)).toEqual(['a4', 'c1', 'a5', 'a6']);
    await turn();
    expect(read.slice(8)).toEqual(['a7', 'a8', 'a9']);
  });

  it('are all served, even if the first ones keep sending', async () => {
    const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
    const server = createServer((_, response) => response.end('x'));
    new NewConnections(() => 0).guard(server, () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answers = new Array<number>(20).fill(0);
    const sockets = answers.map((_, n) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(REQUEST));
      socket.on('data', () => {
        answers[n]!++;
        socket.write(REQUEST);
      });
      return socket;
    });
    while (Math.max(...answers) < 5) await turn();
    for (const socket of sockets) socket.destroy();
    server.close();

    expect(Math.min(...answers)).toBeGreaterThan(0);
  });
});

describe('connections of one address', () => {
  it('are half of all at most, so that another address is served', async () => {
    const server = createServer((_, response) => response.end('x'));
    server.maxConnections = 4;
    new NewConnections().guard(server, () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sockets: Socket[] = [];
    const from = (localAddress: string) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      sockets.push(socket);
      return once(socket, 'connect').then(() => socket);
    };
    const isServed = async (socket: Socket) => {
      socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
      const [event] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      return event instanceof Buffer;
    };
    const first = await from('127.0.0.1');
    await from('127.0.0.1');
    expect(await isServed(first)).toBe(true);
    expect(await isServed(await from('127.0.0.1'))).toBe(false);
    expect(await isServed(await from('127.0.0.2'))).toBe(true);

    first.destroy();
    while (!(await isServed(await from('127.0.0.1')))) await turn();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

describe('new connections of an address that guessed credentials', () => {
  const waits = (connections: NewConnections, count: number, address = 'a') =>
    Array.from({ length: count }, () => connections.nextWait(address));

  it('are read 50 ms apart', () => {
    const { clock, connections } = around();
    expect(waits(connections, 3)).toEqual([0, 0, 0]);
    connections.slow('a');
    expect(waits(connections, 3)).toEqual([0, 50, 100]);
    clock.ms += 120;
    expect(waits(connections, 2)).toEqual([30, 80]);
  });

  it('are ended unread while 100 wait, also if it guesses again', () => {
    const { connections, accept, refused } = around();
    connections.slow('a');
    expect(waits(connections, 101).at(-1)).toBe(5_000);
    connections.slow('a');
    accept('a1');
    expect(refused).toEqual(['a1']);
  });

  it('do not delay those of others', () => {
    const { connections } = around();
    connections.slow('a');
    expect(waits(connections, 3, 'b')).toEqual([0, 0, 0]);
  });
});

describe('an address that sent ten wrong keys in a connection', () => {
  let demo: Demo;
  beforeAll(async () => void (demo = await startDemo({ rateLimitFactor: 0 })));
  afterAll(() => demo.close());

  it('is answered on all its next connections', async () => {
    const get = (key: string) =>
      head('GET /v1/demo-things HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`, 'Connection: close');
    const wrong = get('wrong').replace('Connection: close\r\n', '');
    expect(await exchange(demo.port, wrong.repeat(10))).toMatchObject({ status: 401, answers: 10 });
    const answers = await Promise.all(Array.from({ length: 4 }, () => exchange(demo.port, get('full'))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});
