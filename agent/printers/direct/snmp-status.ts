import snmp from 'net-snmp';
import { conditionOf, type Condition } from './condition.js';

const TIMEOUT_MS = 1000;
/** hrPrinterDetectedErrorState of the Host Resources MIB (RFC 2790), which every printer with SNMP has. */
const ERROR_STATE = '1.3.6.1.2.1.25.3.5.1.2';

/** Bits of hrPrinterDetectedErrorState that stop a printer, from the highest bit of the first byte. */
const STOPPING: readonly (readonly [bit: number, reason: string])[] = [
  [4, 'door open'],
  [5, 'jammed'],
  [1, 'out of paper'],
  [3, 'out of toner'],
  [6, 'offline'],
  [8, 'a tray is missing'],
  [9, 'the output tray is missing'],
  [10, 'a cartridge is missing'],
  [12, 'the output tray is full'],
];

/** Drops answers that `net-snmp` cannot read, which would end the Agent: it takes version 3 as signed for a user. */
class Session extends snmp.Session {
  onUnreadable: () => void = () => undefined;

  override onMsg(answer: Buffer): void {
    try {
      super.onMsg(answer);
    } catch {
      this.onUnreadable();
    }
  }
}

/** Asks by SNMP v1, with the community of the address or `public`. Undefined if the device does not answer. */
export function snmpCondition(address: URL): Promise<Condition | undefined> {
  const host = address.hostname.replace(/^\[(.*)\]$/, '$1');
  const session = new Session(host, address.searchParams.get('community') ?? 'public', {
    timeout: TIMEOUT_MS,
    retries: 1,
    port: Number(address.searchParams.get('snmpport') ?? 161),
    transport: host.includes(':') ? 'udp6' : 'udp4',
  });
  const answered = new Promise<Condition | undefined>((resolve) => {
    session.onUnreadable = () => resolve(undefined);
    session.on('error', () => resolve(undefined));
    session.getNext([ERROR_STATE], (error, rows = []) => {
      const [row] = rows;
      const bits: unknown = error || !row?.oid.startsWith(`${ERROR_STATE}.`) ? undefined : row.value;
      resolve(Buffer.isBuffer(bits) ? conditionOfBits(bits) : undefined);
    });
  });
  return answered.finally(() => session.close());
}

export function conditionOfBits(bits: Buffer): Condition {
  const has = (bit: number): boolean => ((bits[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0;
  return conditionOf(STOPPING.map(([bit, reason]) => [has(bit), reason]));
}
