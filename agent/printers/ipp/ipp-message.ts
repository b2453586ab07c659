/** IPP messages on the wire, RFC 8010: a header, groups of attributes, an end tag. */

export const Tag = {
  operation: 0x01,
  job: 0x02,
  end: 0x03,
  printer: 0x04,
  unsupported: 0x05,
  subscription: 0x06,
  event: 0x07,
  integer: 0x21,
  boolean: 0x22,
  enum: 0x23,
  octets: 0x30,
  resolution: 0x32,
  range: 0x33,
  collection: 0x34,
  textWithLanguage: 0x35,
  nameWithLanguage: 0x36,
  endCollection: 0x37,
  text: 0x41,
  name: 0x42,
  keyword: 0x44,
  uri: 0x45,
  charset: 0x47,
  language: 0x48,
  mimeType: 0x49,
  memberName: 0x4a,
} as const;

export interface IppRange {
  lower: number;
  upper: number;
}

/** In dots per inch. */
export interface IppResolution {
  x: number;
  y: number;
}

/** A collection has attributes itself. */
type IppValue = number | boolean | string | IppRange | IppResolution | IppAttributes;

export interface IppAttribute {
  name: string;
  tag: number;
  values: (Exclude<IppValue, IppAttributes> | IppAttribute[])[];
}

export interface IppGroup {
  tag: number;
  attributes: IppAttribute[];
}

interface IppRequest {
  operation: number;
  groups: IppGroup[];
}

/** Attribute names to their values; an out-of-band value (no-value, unknown) is null. */
export interface IppAttributes extends Map<string, (IppValue | null)[]> {
  get(name: string): (IppValue | null)[] | undefined;
}

export interface IppResponse {
  status: number;
  groups: { tag: number; attributes: IppAttributes }[];
}

export class IppMalformed extends Error {
  constructor(reason: string) {
    super(`malformed IPP message: ${reason}`);
    this.name = 'IppMalformed';
  }
}

const VERSION = 0x0200;
const FIRST_VALUE_TAG = 0x10;
const FIRST_TYPED_TAG = 0x20;
/** Units of a resolution. */
const PER_INCH = 3;
const CM_PER_INCH = 2.54;
/** Nesting of collections: media-col needs two. */
const MAX_DEPTH = 8;

export function encodeRequest({ operation, groups }: IppRequest): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(VERSION, 0);
  head.writeUInt16BE(operation, 2);
  head.writeUInt32BE(1, 4);
  const parts = groups.flatMap(({ tag, attributes }) => [
    Buffer.of(tag),
    ...attributes.flatMap(attributeBytes),
  ]);
  return Buffer.concat([head, ...parts, Buffer.of(Tag.end)]);
}

function attributeBytes({ name, tag, values }: IppAttribute): Buffer[] {
  return values.flatMap((value, index) => {
    const head = [Buffer.of(tag), sized(Buffer.from(index === 0 ? name : ''))];
    return Array.isArray(value)
      ? [...head, ...collectionBytes(value)]
      : [...head, sized(valueBytes(tag, value))];
  });
}

/** Members name themselves in a value of their own, RFC 8010 3.1.6. */
function collectionBytes(members: IppAttribute[]): Buffer[] {
  const parts = members.flatMap(({ name, tag, values }) => [
    ...attributeBytes({ name: '', tag: Tag.memberName, values: [name] }),
    ...attributeBytes({ name: '', tag, values }),
  ]);
  return [
    sized(Buffer.alloc(0)),
    ...parts,
    ...attributeBytes({ name: '', tag: Tag.endCollection, values: [''] }),
  ];
}

function valueBytes(tag: number, value: Exclude<IppAttribute['values'][number], IppAttribute[]>): Buffer {
  if (typeof value === 'boolean') return Buffer.of(value ? 1 : 0);
  if (typeof value === 'object') {
    if ('lower' in value) return integers(value.lower, value.upper);
    return Buffer.concat([integers(value.x, value.y), Buffer.of(PER_INCH)]);
  }
  return tag === Tag.integer || tag === Tag.enum ? integers(Number(value)) : Buffer.from(String(value));
}

function integers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeInt32BE(value, index * 4));
  return bytes;
}

function sized(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export function decodeResponse(bytes: Buffer): IppResponse {
  const reader = new Reader(bytes);
  reader.take(2, 'version');
  const status = reader.uint16();
  reader.take(4, 'request id');
  const groups: IppResponse['groups'] = [];
  let values: (IppValue | null)[] = [];
  for (let tag = reader.byte(); tag !== Tag.end; tag = reader.byte()) {
    if (tag < FIRST_VALUE_TAG) {
      groups.push({ tag, attributes: new Map() });
      values = [];
      continue;
    }
    const attributes = groups.at(-1)?.attributes;
    if (!attributes) throw new IppMalformed('an attribute before the first group');
    const name = reader.text('name');
    if (name !== '') attributes.set(name, (values = [])); // An empty name adds to the previous attribute.
    values.push(readValue(reader, tag, 0));
  }
  return { status, groups };
}

function readValue(reader: Reader, tag: number, depth: number): IppValue | null {
  const bytes = reader.take(reader.uint16(), 'value');
  if (tag === Tag.collection) return readCollection(reader, depth + 1);
  if (tag < FIRST_TYPED_TAG) return null;
  if (tag === Tag.boolean && bytes.length === 1) return bytes[0] === 1;
  if ((tag === Tag.integer || tag === Tag.enum) && bytes.length === 4) return bytes.readInt32BE();
  if (tag === Tag.range && bytes.length === 8)
    return { lower: bytes.readInt32BE(), upper: bytes.readInt32BE(4) };
  if (tag === Tag.resolution && bytes.length === 9) {
    const unit = bytes[8] === PER_INCH ? 1 : CM_PER_INCH;
    return { x: Math.round(bytes.readInt32BE() * unit), y: Math.round(bytes.readInt32BE(4) * unit) };
  }
  if (tag !== Tag.textWithLanguage && tag !== Tag.nameWithLanguage) return bytes.toString('utf8');
  const within = new Reader(bytes);
  within.text('language');
  return within.text('text');
}

function readCollection(reader: Reader, depth: number): IppAttributes {
  if (depth > MAX_DEPTH) throw new IppMalformed('collections within collections');
  const members: IppAttributes = new Map();
  let values: (IppValue | null)[] = [];
  for (;;) {
    const tag = reader.byte();
    reader.text('name'); // Always empty.
    if (tag === Tag.endCollection) {
      reader.text('end of a collection');
      return members;
    }
    if (tag === Tag.memberName) members.set(reader.text('member'), (values = []));
    else values.push(readValue(reader, tag, depth));
  }
}

class Reader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  byte(): number {
    return this.take(1, 'tag').readUInt8();
  }

  uint16(): number {
    return this.take(2, 'length').readUInt16BE();
  }

  text(what: string): string {
    return this.take(this.uint16(), what).toString('utf8');
  }

  take(length: number, what: string): Buffer {
    if (this.at + length > this.bytes.length) throw new IppMalformed(`it ends within the ${what}`);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}
