import { storyOf } from '../../../../test/kit/decider.js';
import * as pc from '../../../../test/kit/examples/devices.js';
import { computerDecider } from './computer.decider.js';
import { hasFeature, isCurrentSession } from './computer.state.js';

const { given } = storyOf(computerDecider);
const { registered, sessionStarted, cameOnline, wentOffline, disabled, enabled, revoked } = pc;
const started = [registered, sessionStarted(), cameOnline];
const printing = [...started, pc.detected(1), pc.printerOnline('offline')];
const NEW = pc.credential(pc.NEW_HASH);

describe('enrolling a computer', () => {
  it('registers a new computer under its hostname', () => {
    given().when(pc.enrol()).then(registered);
    expect(given(registered).state().status).toBe('pending');
  });

  it('names it by the given name, else by its code', () => {
    const named = (name: string, displayName?: string) => ({
      ...registered,
      data: expect.objectContaining({ name, ...(displayName && { displayName }) }) as typeof registered.data,
    });
    given()
      .when(pc.enrol(pc.credential(), { displayName: 'Front', hostname: 'RECEPTION' }))
      .then(named('Front', 'Front'));
    given().when(pc.enrol(pc.credential(), {})).then(named('PC-0A1B2C3D'));
  });

  it('gives a known computer a new credential and resets it to pending', () => {
    given(...started)
      .when(pc.enrol(NEW))
      .then(pc.reenrolled());
    const state = given(...started, pc.reenrolled()).state();
    expect(state).toMatchObject({ status: 'pending', credentialHash: pc.NEW_HASH, sessionId: undefined });
  });

  it('takes its printers offline', () => {
    given(...printing)
      .when(pc.enrol(NEW))
      .then(pc.reenrolled(), pc.printerOffline('online'));
  });

  it('reactivates a revoked computer', () => {
    given(...printing, revoked, pc.printerDisabled('online'))
      .when(pc.enrol(NEW))
      .then(pc.reenrolled(), pc.printerOffline('disabled'));
  });

  it('keeps it disabled if the operator disabled it', () => {
    given(registered, disabled).when(pc.enrol(NEW)).then(pc.reenrolled());
    expect(given(registered, disabled, pc.reenrolled()).state().status).toBe('disabled');
  });

  it('names the printers that show the old name', () => {
    given(...printing)
      .when(pc.enrol(NEW, { displayName: 'Front' }))
      .then(
        {
          type: 'ComputerReenrolled',
          data: { displayName: 'Front', name: 'Front', renames: [pc.PRINTER_ID], ...NEW },
        },
        pc.printerOffline('online'),
      );
  });

  it('writes nothing when repeated with the same credential', () => {
    given(registered).when(pc.enrol()).thenNothing();
  });
});

describe('starting an agent session', () => {
  it('brings the computer online', () => {
    given(registered).when(pc.startSession()).then(sessionStarted(), cameOnline);
  });

  it('brings printers online whose queues are online', () => {
    const offline = pc.detected(2, { reportedOnline: false });
    given(registered, pc.detected(1), offline)
      .when(pc.startSession())
      .then(sessionStarted(), cameOnline, pc.printerOnline('offline'));
  });

  it('replaces the previous session', () => {
    const sessionId = pc.OTHER_ID;
    given(...started)
      .when(pc.startSession({ sessionId }))
      .then(sessionStarted({ sessionId }));
    const state = given(...started, sessionStarted({ sessionId })).state();
    expect([isCurrentSession(state, pc.SESSION_ID), isCurrentSession(state, sessionId)]).toEqual([
      false,
      true,
    ]);
  });

  it('renames a computer named by its hostname, for its printers too', () => {
    const said = { sessionId: pc.OTHER_ID, hostname: 'LOBBY' };
    given(...printing)
      .when(pc.startSession(said))
      .then(sessionStarted({ ...said, name: 'LOBBY', renames: [pc.PRINTER_ID] }));
  });

  it('keeps what the agent can do until the next session', () => {
    const features = ['options/1'];
    given(registered).when(pc.startSession({ features })).then(sessionStarted({ features }), cameOnline);
    const state = given(registered, sessionStarted({ features })).state();
    expect(hasFeature(state, pc.SESSION_ID, 'options/1')).toBe(true);
    expect(hasFeature(state, pc.SESSION_ID, 'text/1')).toBe(false);
    expect(hasFeature(state, pc.OTHER_ID, 'options/1')).toBe(false);
    const next = given(registered, sessionStarted({ features }), sessionStarted({ sessionId: pc.OTHER_ID }));
    expect(hasFeature(next.state(), pc.OTHER_ID, 'options/1')).toBe(false);
  });

  it('leaves a disabled computer disabled', () => {
    given(registered, disabled).when(pc.startSession()).then(sessionStarted());
    expect(given(registered, disabled, sessionStarted()).state().status).toBe('disabled');
  });

  it('writes nothing when repeated', () => {
    given(...started)
      .when(pc.startSession())
      .thenNothing();
  });

  it('is refused for another installation and for a revoked computer', () => {
    const session = pc.startSession({ installationId: pc.OTHER_ID });
    given(registered).when(session).thenRejected('InstallationMismatch');
    given(registered, revoked).when(pc.startSession()).thenRejected('ComputerRevoked');
  });
});

describe('handling a call from a computer', () => {
  it('brings an offline computer and its printers online', () => {
    given(...printing, wentOffline, pc.printerOffline('online'))
      .when(pc.see)
      .then(cameOnline, pc.printerOnline('offline'));
  });

  it('writes nothing for a pending, online or disabled computer', () => {
    for (const past of [[registered], started, [registered, disabled]])
      given(...past)
        .when(pc.see)
        .thenNothing();
    given(registered, revoked).when(pc.see).thenRejected('ComputerRevoked');
  });
});

describe('marking a computer offline', () => {
  it('takes its printers offline', () => {
    given(...printing)
      .when(pc.markOffline)
      .then(wentOffline, pc.printerOffline('online'));
  });

  it('writes nothing unless it is online', () => {
    for (const past of [
      [registered],
      [...started, wentOffline],
      [...started, disabled],
      [registered, revoked],
    ]) {
      given(...past)
        .when(pc.markOffline)
        .thenNothing();
    }
  });
});

describe('disabling and enabling a computer', () => {
  it('disables its printers', () => {
    given(...printing)
      .when(pc.disable)
      .then(disabled, pc.printerDisabled('online'));
  });

  it('brings it online at once if its agent kept calling', () => {
    given(...printing, disabled, pc.printerDisabled('online'))
      .when(pc.enable(true))
      .then(enabled('offline'), cameOnline, pc.printerOnline('disabled'));
  });

  it('leaves it offline if its agent is silent', () => {
    given(...printing, disabled, pc.printerDisabled('online'))
      .when(pc.enable(false))
      .then(enabled('offline'), wentOffline, pc.printerOffline('disabled'));
  });

  it('makes it pending if it never had a session', () => {
    given(registered, disabled).when(pc.enable(true)).then(enabled('pending'));
  });

  it('writes nothing when nothing changes', () => {
    given(registered, disabled).when(pc.disable).thenNothing();
    given(...started)
      .when(pc.enable(true))
      .thenNothing();
  });

  it('is refused for a revoked computer', () => {
    given(registered, revoked).when(pc.disable).thenRejected('ComputerRevoked');
    given(registered, revoked).when(pc.enable(true)).thenRejected('ComputerRevoked');
  });
});

describe('revoking a computer', () => {
  it('disables its printers and ends its session', () => {
    given(...printing)
      .when(pc.revoke)
      .then(revoked, pc.printerDisabled('online'));
    expect(given(...printing, revoked).state().sessionId).toBeUndefined();
  });

  it('skips printers that are already disabled', () => {
    given(...printing, disabled, pc.printerDisabled('online'))
      .when(pc.revoke)
      .then(revoked);
  });

  it('writes nothing when repeated', () => {
    given(registered, revoked).when(pc.revoke).thenNothing();
  });
});

describe('commanding a computer that does not exist', () => {
  it('is refused', () => {
    const asked = [
      pc.see,
      pc.markOffline,
      pc.disable,
      pc.enable(true),
      pc.revoke,
      pc.sync([]),
      pc.startSession(),
    ];
    for (const command of asked) given().when(command).thenRejected('ComputerNotFound');
  });
});

describe('reporting an event that the store has lost', () => {
  it('records that the jobs are parked', () => {
    given(...started)
      .when(pc.reportLostEvent('2026-11-21T12', 3))
      .then(pc.lostEventReported('2026-11-21T12', 3));
  });

  it('writes nothing for the same event or an older one', () => {
    const past = [...started, pc.lostEventReported('2026-11-21T12', 3)];
    for (const seen of ['2026-11-21T12', '2026-11-21T11']) {
      given(...past)
        .when(pc.reportLostEvent(seen, 0))
        .thenNothing();
    }
  });

  it('records a newer event, because the store was rolled back again', () => {
    given(...started, pc.lostEventReported('2026-11-21T12', 3))
      .when(pc.reportLostEvent('2026-11-21T13', 1))
      .then(pc.lostEventReported('2026-11-21T13', 1));
  });
});
