import { compose, typed, type Document } from '../bson/compose.js';
import { documentsIn, elements, type Raw } from '../bson/raw.js';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM = 1;
const MORE_TO_COME = 2;

/** https://www.mongodb.com/docs/manual/reference/command/: the field whose documents may travel as a sequence. */
const PAYLOAD: Readonly<Record<string, string>> = {
  insert: 'documents',
  update: 'updates',
  delete: 'deletes',
};

export interface Command {
  readonly requestId: number;
  readonly name: string;
  readonly db: string;
  /** Decoded with their types: numbers are Int32, Long or Double. */
  readonly args: Document;
  readonly body: Raw;
  /** Documents to insert, or the statements of an update or a delete. */
  readonly payload: readonly Raw[];
  /** Write concern 0: nobody listens for a reply. */
  readonly unacknowledged: boolean;
  /** Came as OP_QUERY, which drivers still use for their first hello. */
  readonly legacy: boolean;
}

/** https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/ */
export function readCommand(message: Buffer): Command {
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  if (opCode === OP_QUERY) return readQuery(requestId, message);
  if (opCode === OP_MSG) return readMessage(requestId, message);
  throw new Error(`opCode ${opCode} is not spoken here`);
}

/** flags, cstring of the namespace, skip, limit, document. */
function readQuery(requestId: number, message: Buffer): Command {
  const nameEnd = message.indexOf(0, 20);
  const rest = message.subarray(nameEnd + 9);
  const body = rest.subarray(0, rest.readInt32LE(0));
  const db = message.toString('utf8', 20, nameEnd).split('.')[0]!;
  const args = typed(body);
  return {
    ...{ requestId, name: Object.keys(args)[0]!, db, args, body },
    payload: [],
    unacknowledged: false,
    legacy: true,
  };
}

function readMessage(requestId: number, message: Buffer): Command {
  const flags = message.readUInt32LE(16);
  const end = message.length - (flags & CHECKSUM ? 4 : 0);
  let body: Raw | undefined;
  const sequences = new Map<string, Raw[]>();
  for (let at = 20; at < end;) {
    const length = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + length);
    if (message[at] === 0) body = section;
    else readSequence(section, sequences);
    at += 1 + length;
  }
  if (!body) throw new Error('a message without a body');
  const unacknowledged = (flags & MORE_TO_COME) !== 0;
  return { requestId, ...readBody(body, sequences), unacknowledged, legacy: false };
}

function readSequence(section: Buffer, into: Map<string, Raw[]>): void {
  const nameEnd = section.indexOf(0, 4);
  const documents: Raw[] = [];
  for (let at = nameEnd + 1; at < section.length; at += section.readInt32LE(at))
    documents.push(section.subarray(at, at + section.readInt32LE(at)));
  into.set(section.toString('utf8', 4, nameEnd), documents);
}

function readBody(body: Raw, sequences: Map<string, Raw[]>) {
  const args = typed(body);
  const name = Object.keys(args)[0]!;
  const payloadName = PAYLOAD[name];
  const inline = payloadName && elements(body).find((element) => element.name === payloadName);
  const payload = sequences.get(payloadName ?? '') ?? (inline ? documentsIn(body, inline) : []);
  return { name, db: String(args['$db'] ?? 'admin'), args, body, payload };
}

let lastId = 0;

export function writeReply(command: Command, reply: Document): Buffer {
  const body = compose(reply);
  const header = Buffer.alloc(command.legacy ? 36 : 21);
  header.writeInt32LE(header.length + body.length, 0);
  header.writeInt32LE(++lastId, 4);
  header.writeInt32LE(command.requestId, 8);
  header.writeInt32LE(command.legacy ? OP_REPLY : OP_MSG, 12);
  if (command.legacy) header.writeInt32LE(1, 32); // one document; cursor and flags are 0
  return Buffer.concat([header, body]);
}
