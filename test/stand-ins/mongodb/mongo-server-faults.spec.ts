import { once } from 'node:events';
import net from 'node:net';
import {
  MongoClient,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoServerError,
  type Collection,
} from 'mongodb';
import { startMongoServer, type MongoServer } from './mongo-server.js';

interface Thing {
  _id: string;
  n?: number;
}

let server: MongoServer;
let client: MongoClient;
let things: Collection<Thing>;

const connect = (options = {}) => new MongoClient(server.url, options).connect();

beforeEach(async () => {
  server = await startMongoServer();
  client = await connect();
  things = client.db().collection<Thing>('things');
  await things.insertOne({ _id: 'a', n: 0 });
});

afterEach(async () => {
  server.thaw();
  await server.faults.clear();
  await client.close();
  await server.stop();
});

const increment = (collection = things) =>
  collection.updateOne({ _id: 'a' }, [{ $set: { n: { $add: ['$n', 1] } } }]);
const value = async () => (await things.findOne({ _id: 'a' }))?.n;

/** The same collection through a client that does not send a write twice and waits for 150 ms. */
const withoutRetries = async <T>(use: (collection: Collection<Thing>) => Promise<T>): Promise<T> => {
  const single = await connect({ retryWrites: false, socketTimeoutMS: 150 });
  try {
    return await use(single.db().collection<Thing>('things'));
  } finally {
    await single.close();
  }
};

describe('losing a reply', () => {
  it('keeps the write, and a retry does not repeat it', async () => {
    await server.faults.loseReplies(1);
    await increment();
    expect(await value()).toBe(1);
    expect((await server.counters()).commands['update']).toBe(2);
  });

  it('is a network error for a client that does not retry', async () => {
    await server.faults.loseReplies(1);
    await withoutRetries((single) => expect(increment(single)).rejects.toBeInstanceOf(MongoNetworkError));
    expect(await value()).toBe(1);
  });

  it('does nothing if the request was lost', async () => {
    await server.faults.loseRequests(1);
    await withoutRetries((single) => expect(increment(single)).rejects.toBeInstanceOf(MongoNetworkError));
    expect(await value()).toBe(0);
  });
});

describe('being no primary', () => {
  it('is survived by one retry', async () => {
    await server.faults.notPrimary(1);
    await increment();
    expect(await value()).toBe(1);
  });

  it('labels only retryable writes as retryable', async () => {
    await server.faults.notPrimary(2);
    const error = await increment().catch((raised: unknown) => raised as MongoServerError);
    expect(error).toMatchObject({ code: 10107, codeName: 'NotWritablePrimary' });
    expect((error as MongoServerError).hasErrorLabel('RetryableWriteError')).toBe(true);
    await server.faults.notPrimary(1);
    const plain = await withoutRetries((single) => increment(single).catch((raised: unknown) => raised));
    expect((plain as MongoServerError).hasErrorLabel('RetryableWriteError')).toBe(false);
  });

  it('lasts until it is cleared, except for permitted reads', async () => {
    await server.faults.notPrimary();
    await expect(increment()).rejects.toMatchObject({ code: 10107 });
    expect(await client.db().admin().command({ hello: 1 })).toMatchObject({ secondary: true });
    const reads = client.db().collection('things', { readPreference: 'secondaryPreferred' });
    expect(await reads.countDocuments({})).toBe(1);
    await server.faults.clear();
    await increment();
  });
});

describe('losing an upsert race', () => {
  it('is a duplicate of the _id and writes nothing', async () => {
    await server.faults.loseUpsertRaces(1);
    const upsert = () => things.updateOne({ _id: 'b', n: { $lt: 5 } }, { $set: { n: 5 } }, { upsert: true });
    await expect(upsert()).rejects.toMatchObject({ code: 11000, keyPattern: { _id: 1 } });
    expect((await upsert()).upsertedCount).toBe(1);
  });
});

describe('failing a command', () => {
  it('answers with the requested error, as often as requested', async () => {
    const error = { code: 50, codeName: 'MaxTimeMSExpired', message: 'operation exceeded time limit' };
    await server.faults.fail({ commands: ['find'], times: 1, ...error });
    await expect(value()).rejects.toMatchObject({ code: 50, message: error.message });
    expect(await value()).toBe(0);
  });
});

describe('hanging', () => {
  it('holds commands until it is cleared, then answers them', async () => {
    await server.faults.hang();
    const held = increment();
    const first = await Promise.race([held, server.counters().then(() => 'nothing yet')]);
    expect(first).toBe('nothing yet');
    await server.faults.clear();
    expect((await held).modifiedCount).toBe(1);
  });

  it('is detected by a client with a time limit', async () => {
    await withoutRetries(async (single) => {
      await server.faults.hang();
      await expect(increment(single)).rejects.toBeInstanceOf(MongoNetworkTimeoutError);
      await server.faults.clear();
    });
  });
});

describe('stopping at a write', () => {
  it.each([
    ['before', false, 1],
    ['after', true, 2],
  ])('happens %s it is carried out, and what comes later never happens', async (_, carriedOut, stored) => {
    await server.faults.stopAt({ collection: 'things', write: 2, carriedOut });
    await increment();
    await withoutRetries(async (single) => {
      await expect(increment(single)).rejects.toBeInstanceOf(MongoNetworkTimeoutError);
      await expect(increment(single)).rejects.toBeInstanceOf(MongoNetworkTimeoutError);
    });
    expect(await server.faults.whenStopped()).toBe(true);
    await server.faults.clear();
    expect(await value()).toBe(stored);
  });

  it('is not met when it is cleared before', async () => {
    await server.faults.stopAt({ collection: 'things', write: 1, carriedOut: false });
    const stopped = server.faults.whenStopped();
    await server.faults.clear();
    expect(await stopped).toBe(false);
  });
});

describe('being slow', () => {
  it('delays every reply', async () => {
    await server.faults.slow(60);
    const started = performance.now();
    await increment();
    expect(performance.now() - started).toBeGreaterThanOrEqual(59);
  });
});

describe('freezing', () => {
  it('holds everything until it thaws', async () => {
    await withoutRetries(async (single) => {
      server.freeze();
      await expect(increment(single)).rejects.toBeInstanceOf(MongoNetworkTimeoutError);
      server.thaw();
    });
    await increment();
  });
});

/** A driver may write to a connection whose end it has not seen yet: that fails, with an error of the socket. */
const noticed = async () => {
  const ping = () => client.db().command({ ping: 1 });
  for (let tries = 1; tries < 10; tries++) if (await ping().catch(() => undefined)) return;
};

describe('dropping connections', () => {
  it('ends all of them; the driver opens new ones', async () => {
    const { acceptedConnections } = await server.counters();
    await server.dropAll(0, 'reset');
    await noticed();
    expect(await value()).toBe(0);
    expect((await server.counters()).acceptedConnections).toBeGreaterThan(acceptedConnections);
  });

  it('ends them like an ending process, or by a reset', async () => {
    const outcome = async (how: 'end' | 'reset') => {
      const socket = net.connect(server.port, '127.0.0.1');
      await once(socket, 'connect');
      const ended = new Promise((resolve) => socket.once('end', () => resolve('end')).once('error', resolve));
      // A socket is taken when the server has counted it.
      for (let n = 0; n < 50 && (await server.counters()).openConnections === 0; n++);
      await server.dropAll(0, how);
      return ended;
    };
    await client.close();
    expect(await outcome('end')).toBe('end');
    expect(await outcome('reset')).toMatchObject({ code: 'ECONNRESET' });
  });

  it('refuses new ones for the requested time', async () => {
    await server.dropAll(300);
    const hasty = new MongoClient(server.url, { serverSelectionTimeoutMS: 100 });
    await expect(hasty.connect()).rejects.toMatchObject({ name: 'MongoServerSelectionError' });
    await hasty.close();
    await noticed();
    expect(await value()).toBe(0);
  });
});

describe('restarting', () => {
  it('keeps data and forgets cursors', async () => {
    await things.insertMany([1, 2, 3].map((n) => ({ _id: `${n}` })));
    const cursor = things.find().batchSize(2);
    await cursor.next();
    await server.restart();
    await noticed();
    const rest = cursor.toArray();
    await expect(rest).rejects.toMatchObject({ code: 43 });
    expect(await things.countDocuments()).toBe(4);
  });
});
