import {
  createServer as createHttp2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { BACKWARDS, END, jsonEvent } from '@eventstore/db-client';
import { Metadata } from '@grpc/grpc-js';
import { clientMaker, UnansweredConnectionError, type Client } from './client.js';
import { parseConnectionString, type ClientSettings } from './connection-string.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listening<S extends Server>(server: S): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `esdb://127.0.0.1:${(server.address() as AddressInfo).port}?tls=false`;
}

function clientOf(settings: ClientSettings): Client {
  const client = clientMaker(settings, 'test')();
  closers.push(() => client.close());
  return client;
}

/** Reads one event; resolves to the error that ends the call. */
function read({ calls }: Client): Promise<unknown> {
  return new Promise((resolve) => {
    calls.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }).on('error', resolve).resume();
  });
}

describe('a connection to the event store', () => {
  it('offers no compression', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const server = createHttp2Server().on('stream', (stream: ServerHttp2Stream, headers) => {
      seen.push(headers);
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '14' });
      stream.end();
    });
    await read(clientOf(parseConnectionString(await listening(server as unknown as Server)).client));

    expect(seen.map((headers) => headers['grpc-accept-encoding'])).toEqual(['identity']);
  });

  it('is abandoned when a cluster node accepts it and stays silent', async () => {
    const settings = parseConnectionString(await listening(createTcpServer())).client;
    const error = await read(clientOf({ ...settings, isCluster: true }));

    expect(error).toBeInstanceOf(UnansweredConnectionError);
  });

  it('leaves no unhandled rejection when another call fails meanwhile', async () => {
    const settings = parseConnectionString(await listening(createTcpServer())).client;
    const { calls } = clientOf({ ...settings, isCluster: true });
    const connecting = calls['getChannel']().catch((error: unknown) => error);
    const failed = { getChannel: () => undefined } as never;
    const dropped = Object.assign(new Error('14 UNAVAILABLE: Connection dropped'), {
      ...{ code: 14, details: 'Connection dropped', metadata: new Metadata() },
    });

    // The client itself does not wait for this promise: a rejection would end the process.
    await expect(calls['handleError'](failed, dropped)).resolves.toBeUndefined();
    expect(await connecting).toBeInstanceOf(UnansweredConnectionError);
  });

  it('is awaited on a single server', async () => {
    const server = createTcpServer();
    const client = clientOf(parseConnectionString(await listening(server)).client);
    const accepted = new Promise((resolve) => server.once('connection', resolve));
    const channel = await client.calls['getChannel']();
    channel.getConnectivityState(true);
    await accepted;

    expect(client.isConnected).toBe(false);
  });

  it('is dropped when a ping is not answered', async () => {
    const server = createHttp2Server();
    const upstream = new URL((await listening(server as unknown as Server)).replace('esdb', 'http'));
    const proxy = createTcpServer((socket) => {
      const answers = connect(Number(upstream.port), upstream.hostname).on('error', () => undefined);
      socket.pipe(answers).pipe(socket);
      server.on('stream', () => answers.unpipe(socket));
    });
    const url = await listening(proxy);
    const error = await read(
      clientOf(parseConnectionString(`${url}&keepAliveInterval=100&keepAliveTimeout=100`).client),
    );

    expect(error).toMatchObject({ type: 'unavailable' });
  });

  it('is closed with its client, also one that was never answered', async () => {
    const frozen = createTcpServer();
    const url = await listening(frozen);
    const accepted = new Promise((resolve) => frozen.once('connection', resolve));
    const client = clientOf({ ...parseConnectionString(url).client, isCluster: true });
    const reading = read(client);
    await accepted;
    await client.close();

    expect(await reading).toBeInstanceOf(UnansweredConnectionError);
  });

  it('fails an append that begins once it is closed, and leaves no unhandled rejection', async () => {
    const client = clientOf(parseConnectionString(await listening(createTcpServer())).client);
    const channel = await client.calls['getChannel']();
    client.calls['supports'] = async () => false;
    const appending = client.calls.appendToStream('note-1', jsonEvent({ type: 'Noted', data: {} }));
    // The call still waits for the channel.
    channel.close();

    await expect(appending).rejects.toMatchObject({ type: 'unavailable' });
  });

  it('is separate for each name and each replacement client', async () => {
    const server = createHttp2Server().on('stream', (stream: ServerHttp2Stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '7' });
      stream.end();
    });
    let connections = 0;
    server.on('session', () => (connections += 1));
    const settings = parseConnectionString(await listening(server as unknown as Server)).client;
    const makers = [clientMaker(settings, 'one'), clientMaker(settings, 'two')];
    for (const make of [...makers, ...makers]) {
      const client = make();
      closers.push(() => client.close());
      await read(client);
    }

    expect(connections).toBe(4);
  });
});
