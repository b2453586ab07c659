import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { AcceptFirst } from './accept-first.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('admitting requests', () => {
  const around = () => {
    const server = new EventEmitter();
    const clock = { ms: 0 };
    const accepting = new AcceptFirst(server, () => clock.ms);
    const served: string[] = [];
    const connection = () => server.emit('connection');
    const request = (name: string) => accepting.admit(() => served.push(name));
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
});

describe('connections opened at once', () => {
  const CONNECTIONS = 20;
  const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

  it('are served equally often, even if the first ones keep sending', async () => {
    const server = createServer();
    const accepting = new AcceptFirst(server);
    server.on('request', (_request, response) => accepting.admit(() => response.end('x')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answers = new Array<number>(CONNECTIONS).fill(0);
    const sockets = answers.map((_, n) => {
      const socket: Socket = connect(port, '127.0.0.1', () => socket.write(REQUEST));
      socket.on('data', () => {
        answers[n]!++;
        socket.write(REQUEST);
      });
      return socket;
    });
    while (Math.max(...answers) < 5) await turn();
    for (const socket of sockets) socket.destroy();
    server.close();

    expect(Math.min(...answers)).toBeGreaterThan(2);
  });
});
