import { createAgent, MibProviderType, ObjectType, MaxAccess } from 'net-snmp';
import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { RawPrinter } from '../../../test/kit/raw-printer.js';
import { escposCondition, statusOf, zplCondition } from './status.js';
import { conditionOfBits } from './snmp-status.js';
import { SocketPort } from './socket-port.js';

/** Answer of a Zebra printer to ~HS, with these flags. */
function hostStatus({ paper = 0, pause = 0, head = 0, ribbon = 0 } = {}): Buffer {
  return Buffer.from(
    `\x02030,${paper},${pause},1245,000,0,0,0,000,0,0,0\x03\r\n` +
      `\x02000,0,${head},${ribbon},1,2,6,0,00000000,1,000\x03\r\n` +
      '\x021234,0\x03\r\n',
  );
}

describe('the answer to ~HS', () => {
  it.each([
    [{}, { online: true }],
    [{ paper: 1 }, { online: false, trouble: 'out of media' }],
    [
      { head: 1, pause: 1 },
      { online: false, trouble: 'print head open, paused' },
    ],
    [{ ribbon: 1 }, { online: false, trouble: 'out of ribbon' }],
  ])('with %j means %j', (flags, condition) => {
    expect(zplCondition(hostStatus(flags))).toEqual(condition);
  });

  it('is missing from a printer that is open or empty', () => {
    expect(zplCondition(Buffer.from('noise'))).toMatchObject({ online: false });
  });
});

describe('the answer to DLE EOT', () => {
  const ready = [0x12, 0x12, 0x12, 0x12];
  it.each([
    [ready, { online: true }],
    [[0x1a, 0x16, 0x12, 0x12], { online: false, trouble: 'cover open, offline' }],
    [[0x1a, 0x32, 0x12, 0x72], { online: false, trouble: 'out of paper, offline' }],
    [[0x1a, 0x52, 0x1a, 0x12], { online: false, trouble: 'the cutter is jammed, offline' }],
    [[0x12, 0x12, 0x12, 0x1e], { online: true }], // Nearly out of paper.
    [[0x10, 0x00, 0x0f, ...ready], { online: true }], // Behind an automatic message.
  ])('%j means %j', (bytes, condition) => {
    expect(escposCondition(Buffer.from(bytes))).toEqual(condition);
  });
});

describe('hrPrinterDetectedErrorState', () => {
  it.each([
    [[0x00], { online: true }],
    [[0x80], { online: true }], // Low on paper.
    [[0x40, 0x00], { online: false, trouble: 'out of paper' }],
    [[0x0c], { online: false, trouble: 'door open, jammed' }],
    [[0x00, 0x08], { online: false, trouble: 'the output tray is full' }],
  ])('%j means %j', (bytes, condition) => {
    expect(conditionOfBits(Buffer.from(bytes))).toEqual(condition);
  });
});

describe('asking a printer for its status', () => {
  let device: RawPrinter;
  beforeEach(async () => void (device = await RawPrinter.start()));
  afterEach(() => device.stop());

  const condition = (settings = '') => new SocketPort(new URL(`${device.address}${settings}`)).condition();

  it('sends nothing unless the address names a language', async () => {
    expect(await condition()).toEqual({ online: true });
    expect(device.documents).toEqual([]);
  });

  it('sends ~HS to a ZPL printer', async () => {
    device.answer = (said) => (said.toString() === '~HS' ? hostStatus({ paper: 1 }) : undefined);
    expect(await condition('?status=zpl')).toEqual({ online: false, trouble: 'out of media' });
    expect(device.documents).toEqual([]);
  });

  it('tells apart an answer and a connection that is only accepted', async () => {
    device.answer = () => hostStatus();
    expect(await condition('?status=zpl')).toEqual({ online: true, answers: true });
    expect(await condition()).toEqual({ online: true });
  });

  it('sends DLE EOT to an ESC/POS printer', async () => {
    device.answer = (said) => (said[0] === 0x10 ? Buffer.from([0x1a, 0x16, 0x12, 0x12]) : undefined);
    expect(await condition('?status=escpos')).toEqual({ online: false, trouble: 'cover open, offline' });
    expect(device.documents).toEqual([]);
  });

  it('reports a printer that is switched off', async () => {
    const port = new SocketPort(new URL(device.address));
    await device.off();
    expect(await port.condition()).toEqual({ online: false, trouble: 'refuses connections' });
  });

  it('reads the printer MIB', async () => {
    const agent = await snmpAgent(Buffer.from([0x08]));
    try {
      expect(await condition(`?status=snmp&snmpport=${agent.port}`)).toEqual({
        online: false,
        trouble: 'door open',
      });
    } finally {
      agent.close();
    }
  });

  it('looks at the port of a printer without SNMP', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      expect(await condition(`?status=snmp&snmpport=${silent.address().port}`)).toEqual({ online: true });
    } finally {
      silent.close();
    }
  });

  it('drops an answer by SNMP that is signed for a user', async () => {
    const agent = createSocket('udp4').bind(0, '127.0.0.1');
    agent.on('message', (asked, { port }) => agent.send(signedReport(requestId(asked)), port, '127.0.0.1'));
    await once(agent, 'listening');
    try {
      expect(await condition(`?status=snmp&snmpport=${agent.address().port}`)).toEqual({ online: true });
    } finally {
      agent.close();
    }
  });

  it('leaves a printer that keeps its side of the connection open', async () => {
    device.keepsOpen = true;
    const socket = connect({ port: device.port, allowHalfOpen: true });
    await statusOf(new URL(device.address), () => Promise.resolve(socket), new AbortController().signal);
    await once(socket, 'close');

    expect(socket.destroyed).toBe(true);
  });
});

/** A report of SNMPv3 that claims to be signed, for the request of this number. */
function signedReport(id: number): Buffer {
  const tagged = (tag: number, ...parts: Buffer[]): Buffer => {
    const content = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([tag, content.length]), content]);
  };
  const integer = (value: number): Buffer => {
    const bytes = Buffer.alloc(5);
    bytes.writeUInt32BE(value, 1);
    return tagged(2, bytes);
  };
  const text = (...parts: Buffer[]): Buffer => tagged(4, ...parts);
  const engine = text(Buffer.from('engine'));
  const header = tagged(0x30, integer(id), integer(65_507), text(Buffer.from([1])), integer(3));
  const user = [engine, integer(1), integer(1), text(Buffer.from('user')), text(Buffer.alloc(12)), text()];
  const report = tagged(0xa8, integer(id), integer(0), integer(0), tagged(0x30));
  const scoped = tagged(0x30, engine, text(), report);
  return tagged(0x30, integer(3), header, text(tagged(0x30, ...user)), scoped);
}

/** The number of a request by SNMP v1: behind version, community and the head of the PDU. */
function requestId(asked: Buffer): number {
  const pdu = 2 + 3 + 2 + (asked[6] ?? 0);
  const length = asked[pdu + 3] ?? 0;
  return asked.readUIntBE(pdu + 4, length);
}

/** A printer's SNMP agent with one printer in its table. */
async function snmpAgent(errorState: Buffer): Promise<{ port: number; close: () => void }> {
  const probe = createSocket('udp4').bind(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  const agent = createAgent(
    { port, address: '127.0.0.1', disableAuthorization: true, accessControlModelType: 0 },
    (error: Error | null) => {
      if (error) throw error;
    },
  );
  const mib = agent.getMib();
  mib.registerProvider({
    name: 'hrPrinterEntry',
    type: MibProviderType.Table,
    oid: '1.3.6.1.2.1.25.3.5.1',
    maxAccess: MaxAccess['not-accessible'],
    tableColumns: [
      { number: 1, name: 'hrPrinterStatus', type: ObjectType.Integer, maxAccess: MaxAccess['read-only'] },
      {
        number: 2,
        name: 'hrPrinterDetectedErrorState',
        type: ObjectType.OctetString,
        maxAccess: MaxAccess['read-only'],
      },
    ],
    tableIndex: [{ columnName: 'hrPrinterStatus' }],
  });
  mib.addTableRow('hrPrinterEntry', [3, errorState]);
  return { port, close: () => agent.close() };
}
