import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { AcceptFirst } from './accept-first.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('admitting requests', () => {
  const around = () => {
    const server = new EventEmitter();
    const clock = { ms: 0 };
    const accepting = new AcceptFirst(server, () => clock.ms);
    const served: string[] = [];
    const connection = () => server.emit('connection');
    const sockets = new Map<string, Socket>();
    /** @param name begins with the letter of its connection */
    const request = (name: string, ms = 0) => {
      const of = name[0]!;
      if (!sockets.has(of)) sockets.set(of, new Socket());
      accepting.admit(sockets.get(of)!, () => {
        clock.ms += ms;
        served.push(name);
      });
    };
    return { clock, connection, request, served };
  };

  it('serves a request at once while no connection is accepted', () => {
    const { request, served } = around();
    request('a');

    expect(served).toEqual(['a']);
  });

  it('serves waiting requests in their order after the first turn without a new connection', async () => {
    const { connection, request, served } = around();
    connection();
    request('a');
    await turn();
    connection();
    request('b');
    await turn();
    expect(served).toEqual([]);

    await turn();
    expect(served).toEqual(['a', 'b']);
    request('c');
    expect(served).toEqual(['a', 'b', 'c']);
  });

  it('serves them after 20 ms although further connections are accepted', async () => {
    const { clock, connection, request, served } = around();
    connection();
    request('a');
    await turn();
    connection();
    clock.ms = 20;
    await turn();

    expect(served).toEqual(['a']);
  });

  it('serves a burst of new connections in pieces of 4 ms, and others at once between them', async () => {
    const { connection, request, served } = around();
    request('k1');
    connection();
    for (const name of ['a1', 'b1', 'c1', 'k2']) request(name, 3);
    request('c2');
    await turn();
    await turn();
    expect(served).toEqual(['k1', 'k2', 'a1', 'b1']);

    request('k3');
    request('b2');
    connection();
    request('d1');
    expect(served.slice(4)).toEqual(['k3', 'b2']);
    await turn();
    expect(served.slice(6)).toEqual(['c1', 'c2', 'd1']);
  });
});

describe('connections opened at once', () => {
  const CONNECTIONS = 20;
  const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

  it('are all served, even if the first ones keep sending', async () => {
    const server = createServer();
    const accepting = new AcceptFirst(server, () => 0);
    server.on('request', ({ socket }, response) => accepting.admit(socket, () => response.end('x')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answers = new Array<number>(CONNECTIONS).fill(0);
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
