import { MongoClient, type Collection, type Document } from 'mongodb';
import { startMongoServer, type MongoServer } from '../../../../test/stand-ins/mongodb/mongo-server.js';
import type { Finding } from '../../ports/findings.js';
import { capabilityCheck, engineFinding } from './mongo-health-check.js';

type Scratch = Collection<Document & { _id: string }>;

async function findingsOf(scratch: Scratch): Promise<Record<string, Omit<Finding, 'what'>>> {
  const findings: Record<string, Omit<Finding, 'what'>> = {};
  for await (const { what, ...finding } of capabilityCheck(scratch)) findings[what] = finding;
  return findings;
}

describe('recognising an engine', () => {
  it.each([
    ['FerretDB', {}, { ferretdb: { version: '2.0.0' } }],
    ['DocumentDB', { internal: { documentdb_versions: ['0.108'] } }, {}],
    ['DocumentDB', { internal: { cosmos_versions: ['1.0'] } }, {}],
    ['Amazon DocumentDB', { hosts: ['a.c1.eu-west-1.docdb.amazonaws.com:27017'] }, {}],
    ['Azure Cosmos DB', { me: 'a.mongo.cosmos.azure.com:10255' }, {}],
  ])('refuses %s by name', (name, hello, buildInfo) => {
    expect(engineFinding(hello, buildInfo)).toEqual({
      verdict: 'fail',
      found: `${name}, which cannot carry this service: use MongoDB 6.0 or later`,
    });
  });

  it('accepts MongoDB', () => {
    expect(engineFinding({ hosts: ['db1:27017'], me: 'db1:27017' }, { version: '8.0.4' }).verdict).toBe('ok');
  });
});

describe('trying what the stores depend on', () => {
  let server: MongoServer;
  let client: MongoClient;
  let scratch: Scratch;
  beforeAll(async () => {
    server = await startMongoServer();
    client = await new MongoClient(server.url).connect();
  });
  beforeEach(() => {
    scratch = client.db().collection('scratch');
  });
  afterEach(async () => {
    await server.faults.clear();
    await scratch.drop();
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  /** The scratch collection with one method replaced. */
  const without = (changes: Partial<Scratch>): Scratch =>
    new Proxy(scratch, {
      get: (target, name: keyof Scratch) => {
        const value: unknown = changes[name] ?? target[name];
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });

  it('accepts a server with all capabilities', async () => {
    const findings = await findingsOf(scratch);

    expect(Object.values(findings).map(({ verdict }) => verdict)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  it('names the kind of index that cannot be built', async () => {
    const message = 'unsupported expression in partial index: $in';
    await server.faults.fail({ times: 1, code: 67, codeName: 'CannotCreateIndex', message });
    const { found, verdict } = (await findingsOf(scratch))['read store: indexes']!;

    expect(verdict).toBe('fail');
    expect(found).toBe(`cannot build indexes: compound (${message}); use MongoDB 6.0 or later`);
  });

  it('reports an engine that accepts a duplicate key', async () => {
    const accepting = without({ bulkWrite: (async () => undefined) as never });
    const { found } = (await findingsOf(accepting))['read store: duplicate keys']!;

    expect(found).toBe('a duplicate key was accepted; use MongoDB 6.0 or later');
  });

  it("reports an engine without the server's clock in updates", async () => {
    const constant = without({ findOneAndUpdate: (async () => ({ _id: 'clock', now: '$$NOW' })) as never });
    const { found } = (await findingsOf(constant))["read store: the server's clock in updates"]!;

    expect(found).toContain('$$NOW gives no time, so no lease and no lock works');
  });

  it('reports an engine that gives a lease to two holders', async () => {
    const given: string[] = [];
    const doubling = (async (_: Document, [change]: Document[]) => {
      const [, , holder] = ((change!['$set'] as Document)['holder'] as { $cond: Document[] }).$cond;
      given.push('lease');
      return { holder: given.length % 2 === 0 ? 'two' : 'one', asked: holder };
    }) as never;
    const { verdict, found } = (await findingsOf(without({ findOneAndUpdate: doubling })))[
      'read store: leases'
    ]!;

    expect(verdict).toBe('fail');
    expect(found).toContain('21 of 21 did not have exactly one holder');
  });
});
