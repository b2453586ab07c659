import { PassThrough } from 'node:stream';
import { bodyParser, freeBody } from './body-parser.js';
import { BodyReader } from './body-reader.js';

const UPLOADS = {
  bytes: 1_000_000,
  bodiesOfOwner: 1,
  waitingOfOwner: 8,
  waiting: 8,
  pace: { bytes: 1, windowMs: 60_000 },
};
const LARGE = JSON.stringify({ lines: 'x'.repeat(100_000) });

describe('large bodies of one owner', () => {
  const reader = new BodyReader();
  const parse = bodyParser(reader, UPLOADS);
  afterAll(() => reader.close());

  const receive = () => {
    const request = {
      principal: { accountId: 'a' },
      operation: { carriesContent: true, maxBodyBytes: 200_000 },
    };
    const headers = { 'content-length': String(LARGE.length) };
    const payload = Object.assign(new PassThrough(), { headers });
    const read = new Promise((resolve) =>
      parse(request as never, payload as never, (_, body) => resolve(body)),
    );
    payload.end(LARGE);
    return { answered: () => freeBody(request as never, {}, '', () => undefined), read };
  };

  it('are read one after the answer to the other if only one has a place', async () => {
    const order: string[] = [];
    const first = receive();
    const second = receive();
    void second.read.then(() => order.push('second read'));
    await first.read;
    await new Promise((resolve) => setImmediate(resolve));
    order.push('first answered');
    first.answered();
    await second.read;
    expect(order).toEqual(['first answered', 'second read']);
  });
});
