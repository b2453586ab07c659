/** IPP messages on the wire, RFC 8010: a header, groups of attributes, an end tag. */

export const Tag = {
  operation: 0x01,
  job: 0x02,
  end: 0x03,
  printer: 0x04,
  subscription: 0x06,
  event: 0x07,
  integer: 0x21,
  boolean: 0x22,
  enum: 0x23,
  octets: 0x30,
  text: 0x41,
  name: 0x42,
  keyword: 0x44,
  uri: 0x45,
  charset: 0x47,
  language: 0x48,
  mimeType: 0x49,
} as const;

type IppValue = number | boolean | string;

export interface IppAttribute {
  name: string;
  tag: number;
  values: IppValue[];
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
export type IppAttributes = Map<string, (IppValue | null)[]>;

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

export function encodeRequest({ operation, groups }: IppRequest): Buffer {
  const parts: Buffer[] = [Buffer.alloc(8)];
  parts[0]!.writeUInt16BE(VERSION, 0);
  parts[0]!.writeUInt16BE(operation, 2);
  parts[0]!.writeUInt32BE(1, 4);
  for (const group of groups) {
    parts.push(Buffer.of(group.tag));
    for (const { name, tag, values } of group.attributes) {
      values.forEach((value, index) => {
        parts.push(
          Buffer.of(tag),
          sized(Buffer.from(index === 0 ? name : '')),
          sized(valueBytes(tag, value)),
        );
      });
    }
  }
  parts.push(Buffer.of(Tag.end));
  return Buffer.concat(parts);
}

function valueBytes(tag: number, value: IppValue): Buffer {
  if (tag === Tag.boolean) return Buffer.of(value ? 1 : 0);
  if (tag !== Tag.integer && tag !== Tag.enum) return Buffer.from(String(value));
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Number(value));
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
  for (let tag = reader.byte(); tag !== Tag.end; tag = reader.byte()) {
    if (tag < FIRST_VALUE_TAG) groups.push({ tag, attributes: new Map() });
    else readAttribute(reader, tag, groups.at(-1)?.attributes);
  }
  return { status, groups };
}

/** An empty name adds a value to the previous attribute; members of collections are encoded likewise. */
function readAttribute(reader: Reader, tag: number, attributes: IppAttributes | undefined): void {
  if (!attributes) throw new IppMalformed('an attribute before the first group');
  const name = reader.take(reader.uint16(), 'name').toString('utf8');
  const value = readValue(tag, reader.take(reader.uint16(), `value of ${name}`));
  if (name !== '') attributes.set(name, [value]);
  else [...attributes.values()].at(-1)?.push(value);
}

function readValue(tag: number, bytes: Buffer): IppValue | null {
  if (tag < FIRST_TYPED_TAG) return null;
  if (tag === Tag.boolean && bytes.length === 1) return bytes[0] === 1;
  if ((tag === Tag.integer || tag === Tag.enum) && bytes.length === 4) return bytes.readInt32BE();
  return bytes.toString('utf8');
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

  take(length: number, what: string): Buffer {
    if (this.at + length > this.bytes.length) throw new IppMalformed(`it ends within the ${what}`);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}
