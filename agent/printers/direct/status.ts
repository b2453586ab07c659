import type { Socket } from 'node:net';
import { abortable } from '../../abortable.js';
import { conditionOf, type Condition } from './condition.js';

const STX = '\x02';
const ETX = '\x03';
const LEAVE_WITHIN_MS = 1000;

type Opens = () => Promise<Socket>;

/**
 * Asks a device for its condition in the language that its address names. A device prints what it does not understand,
 * so without a setting nothing is sent: such a device is online while it accepts connections.
 * @throws Error if it cannot be connected
 */
export async function statusOf(address: URL, open: Opens, signal: AbortSignal): Promise<Condition> {
  switch (address.searchParams.get('status')) {
    case 'zpl':
      return answering(
        zplCondition(await exchange(await open(), '~HS', (said) => lines(said).length >= 2, signal)),
      );
    case 'escpos':
      return answering(
        escposCondition(
          await exchange(await open(), ESCPOS_REQUEST, (said) => states(said).length >= 4, signal),
        ),
      );
    case 'snmp': {
      // Loaded by the few printers that need it.
      const { snmpCondition } = await import('./snmp-status.js');
      return (await snmpCondition(address)) ?? connects(open);
    }
    default:
      return connects(open);
  }
}

function answering(condition: Condition): Condition {
  return condition.online ? { ...condition, answers: true } : condition;
}

async function connects(open: Opens): Promise<Condition> {
  leave((await open()).on('error', () => undefined));
  return { online: true };
}

/** Also of devices that keep their side open. */
function leave(socket: Socket): void {
  socket.end().resume();
  setTimeout(() => socket.destroy(), LEAVE_WITHIN_MS).unref();
}

/** The first and second line of `~HS` (ZPL II Programming Guide, "Host Status Return"). */
export function zplCondition(said: Buffer): Condition {
  const [first, second] = lines(said);
  if (!first || !second)
    return { online: false, trouble: 'does not answer ~HS: out of media or ribbon, or its head is open' };
  return conditionOf([
    [second[2] === '1', 'print head open'],
    [first[1] === '1', 'out of media'],
    [second[3] === '1', 'out of ribbon'],
    [first[2] === '1', 'paused'],
    [first[5] === '1', 'its buffer is full'],
    [first[10] === '1', 'too cold'],
    [first[11] === '1', 'too hot'],
  ]);
}

function lines(said: Buffer): string[][] {
  const [, ...framed] = said.toString('latin1').split(STX);
  return framed
    .filter((line) => line.includes(ETX))
    .map((line) => (line.split(ETX)[0] ?? '').split(',').map((field) => field.trim()));
}

/** DLE EOT 1 to 4: printer, cause of offline, error, paper. Answered at once, even offline and with a full buffer. */
const ESCPOS_REQUEST = Buffer.from([1, 2, 3, 4].flatMap((n) => [0x10, 0x04, n]));

export function escposCondition(said: Buffer): Condition {
  const [printer, cause, error, paper] = states(said);
  if (printer === undefined || cause === undefined || error === undefined || paper === undefined)
    return { online: false, trouble: 'does not answer DLE EOT' };
  return conditionOf([
    [(cause & 0x04) !== 0, 'cover open'],
    [(cause & 0x20) !== 0 || (paper & 0x60) !== 0, 'out of paper'],
    [(error & 0x08) !== 0, 'the cutter is jammed'],
    [(error & 0x20) !== 0, 'a fault that needs service'],
    [(error & 0x40) !== 0, 'too hot'],
    [(printer & 0x08) !== 0, 'offline'],
  ]);
}

/** Every state has bit 1 and 4, but neither bit 0 nor 7; other bytes are automatic messages. */
function states(said: Buffer): number[] {
  return [...said].filter((byte) => (byte & 0x93) === 0x12);
}

/** Resolves to what the device has said by the deadline, which may be nothing. */
async function exchange(
  socket: Socket,
  request: string | Buffer,
  isComplete: (said: Buffer) => boolean,
  signal: AbortSignal,
): Promise<Buffer> {
  let said = Buffer.alloc(0);
  const answered = new Promise<void>((resolve) => {
    socket.on('error', () => resolve()).on('close', () => resolve());
    socket.on('data', (bytes: Buffer) => {
      said = Buffer.concat([said, bytes.subarray(0, 4096)]);
      if (isComplete(said) || said.length > 4096) resolve();
    });
  });
  socket.write(request);
  await abortable(answered, signal).catch(() => undefined);
  leave(socket);
  return said;
}
