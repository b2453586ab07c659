import { attribute } from './ipp-client.js';
import { decodeResponse, encodeRequest, IppMalformed, Tag } from './ipp-message.js';

const message = encodeRequest({
  operation: 0x0005,
  groups: [
    {
      tag: Tag.operation,
      attributes: [
        attribute('attributes-charset', Tag.charset, 'utf-8'),
        attribute('job-name', Tag.name, 'Grüße'),
      ],
    },
    {
      tag: Tag.job,
      attributes: [
        attribute('copies', Tag.integer, 3),
        attribute('my-jobs', Tag.boolean, true),
        attribute('requested-attributes', Tag.keyword, 'job-id', 'job-name'),
        attribute('page-ranges', Tag.range, { lower: 1, upper: 3 }, { lower: 7, upper: 7 }),
        attribute('printer-resolution', Tag.resolution, { x: 203, y: 300 }),
        attribute('media-col', Tag.collection, [
          attribute('media-size', Tag.collection, [
            attribute('x-dimension', Tag.integer, 10_160),
            attribute('y-dimension', Tag.integer, 15_240),
          ]),
          attribute('media-source', Tag.keyword, 'tray-1'),
        ]),
      ],
    },
  ],
});

describe('IPP messages', () => {
  it('encode a request as in RFC 8010', () => {
    const head = '0200000500000001' + '01' + '470012' + Buffer.from('attributes-charset').toString('hex');
    expect(message.toString('hex').startsWith(`${head}0005${Buffer.from('utf-8').toString('hex')}`)).toBe(
      true,
    );
    expect(message.at(-1)).toBe(Tag.end);
  });

  it('decode groups, multiple values and out-of-band values', () => {
    const noValue = Buffer.from([0x13, 0, 1, 0x78, 0, 0]);
    const { status, groups } = decodeResponse(
      Buffer.concat([message.subarray(0, -1), noValue, Buffer.of(Tag.end)]),
    );
    expect(status).toBe(5);
    expect(groups.map(({ tag, attributes }) => [tag, Object.fromEntries(attributes)])).toEqual([
      [Tag.operation, { 'attributes-charset': ['utf-8'], 'job-name': ['Grüße'] }],
      [
        Tag.job,
        {
          ...{ copies: [3], 'my-jobs': [true], 'requested-attributes': ['job-id', 'job-name'] },
          'page-ranges': [
            { lower: 1, upper: 3 },
            { lower: 7, upper: 7 },
          ],
          'printer-resolution': [{ x: 203, y: 300 }],
          'media-col': [
            new Map<string, unknown>([
              ['media-size', [new Map(Object.entries({ 'x-dimension': [10_160], 'y-dimension': [15_240] }))]],
              ['media-source', ['tray-1']],
            ]),
          ],
          x: [null],
        },
      ],
    ]);
  });

  it('decode a text with its language and a resolution by the centimetre', () => {
    const text = Buffer.from('350001780009' + '0002' + '6465' + '0003' + '477275', 'hex');
    const perCm = Buffer.from('320001790009' + '00000076' + '00000076' + '04', 'hex');
    const { groups } = decodeResponse(
      Buffer.concat([message.subarray(0, 8), Buffer.of(Tag.job), text, perCm, Buffer.of(Tag.end)]),
    );
    expect(Object.fromEntries(groups[0]!.attributes)).toEqual({ x: ['Gru'], y: [{ x: 300, y: 300 }] });
  });

  it('reject every truncated message', () => {
    for (let length = 0; length < message.length; length++) {
      expect(() => decodeResponse(message.subarray(0, length))).toThrow(IppMalformed);
    }
  });
});
