import * as pc from '../../test/kit/examples/devices.js';
import { armedAfter } from '../../test/kit/process.js';
import { metadata, NOON, recorded } from '../../test/kit/recorded.js';
import type { ComputerEvent } from '../contexts/devices/domain/computer.events.js';
import { MarkComputerOffline } from '../contexts/devices/index.js';
import { plus } from '../kernel/time.js';
import { makePresenceTimeout } from './presence-timeout.process.js';

const presenceTimeout = makePresenceTimeout(90_000);
const armed = (...events: ComputerEvent[]) =>
  armedAfter([presenceTimeout], recorded(pc.COMPUTER_STREAM, ...events)).get(
    `presence-timeout:${pc.COMPUTER_ID}`,
  );

describe('watching the presence of a computer', () => {
  it('starts when it comes online and is extended by every heartbeat', () => {
    expect(armed(pc.cameOnline)).toEqual({
      kind: 'schedule',
      subject: pc.COMPUTER_ID,
      due: plus(NOON, 90_000),
      payload: {},
      keptAlive: { by: `computer:${pc.COMPUTER_ID}`, forMs: 90_000 },
    });
  });

  it.each<ComputerEvent>([pc.wentOffline, pc.disabled, pc.revoked, pc.reenrolled()])(
    'ends with $type',
    (event) => {
      expect(armed(pc.cameOnline, event)).toBeUndefined();
    },
  );

  it('restarts when the computer comes back', () => {
    expect(armed(pc.cameOnline, pc.wentOffline, pc.cameOnline)?.due).toBe(plus(NOON, 92_000));
  });

  it('marks the computer offline when due', () => {
    const timer = {
      process: 'presence-timeout',
      subject: pc.COMPUTER_ID,
      due_at: NOON,
      payload: {},
      armed_by: 'event-1',
      correlation_id: 'correlation-1',
    };
    expect(presenceTimeout.command(timer, NOON, metadata)).toEqual(
      new MarkComputerOffline({ computerId: pc.COMPUTER_ID, at: NOON, by: metadata }),
    );
  });
});
