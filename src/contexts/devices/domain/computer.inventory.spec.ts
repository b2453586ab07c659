import { storyOf } from '../../../../test/kit/decider.js';
import * as pc from '../../../../test/kit/examples/devices.js';
import { NOON } from '../../../../test/kit/recorded.js';
import { plus } from '../../../kernel/time.js';
import { computerDecider } from './computer.decider.js';
import { wantsInventory } from './computer.state.js';

const { given } = storyOf(computerDecider);
const {
  report,
  detected,
  updated,
  reported,
  deferred,
  printerOnline,
  printerOffline,
  printerDisabled,
  printerRemoved,
} = pc;
const started = [pc.registered, pc.sessionStarted(), pc.cameOnline];
const printing = [...started, detected(1), printerOnline('offline')];

describe('syncing an inventory', () => {
  it('stores a detection for each printer, then online for those online', () => {
    given(...started)
      .when(pc.sync([report(1), report(2, { online: false })]))
      .then(detected(1), printerOnline('offline'), detected(2, { reportedOnline: false }));
  });

  it('adds printers as offline before the first session', () => {
    given(pc.registered)
      .when(pc.sync([report(1)]))
      .then(detected(1));
  });

  it('adds printers as disabled on a disabled computer', () => {
    given(...started, pc.disabled)
      .when(pc.sync([report(1)]))
      .then(detected(1), printerDisabled('offline'));
  });

  it('writes nothing for 500 unchanged printers', () => {
    const many = Array.from({ length: 500 }, (_, n) => report(n + 1));
    const pool = many.map(({ printerKey }, n) => ({
      printerKey,
      printerId: `printer-${n}`,
      printerCode: `PR-${n}`,
    }));
    const first = computerDecider.decide(given(...started).state(), pc.sync(many, pool));
    if (!first.accepted) throw new Error(first.rejection.code);
    expect(first.events).toHaveLength(1000);
    const copies = many.map((one) => structuredClone(one));
    given(...started, ...first.events)
      .when(pc.sync(copies, []))
      .thenNothing();
  });

  it('stores what the printer can apply, its sheet and its device', () => {
    const capabilities = {
      ...report().capabilities!,
      trays: ['main', 'manual'],
      resolutionsDpi: [203],
      margins: { top: 1, right: 2.5, bottom: 1, left: 2.5 },
      options: ['paper', 'tray'],
    };
    const deviceIdentity = 'urn:uuid:5c1e0000-0000-4000-8000-000000000001';
    const more = { capabilities, deviceIdentity };
    given(...started)
      .when(pc.sync([report(1, { ...more, online: false })]))
      .then(detected(1, { ...more, reportedOnline: false }));
    given(...printing)
      .when(pc.sync([report(1, more)]))
      .then(reported(more));
    given(...printing, updated(more))
      .when(pc.sync([report(1, structuredClone(more))]))
      .thenNothing();
    given(...printing, updated(more))
      .when(pc.sync([report(1, { capabilities })]))
      .then(reported({ deviceIdentity: null }));
    for (const change of [
      { trays: ['main'] },
      { resolutionsDpi: [203, 300] },
      { options: [] },
      { margins: undefined },
    ])
      given(...printing, updated(more))
        .when(pc.sync([report(1, { deviceIdentity, capabilities: { ...capabilities, ...change } })]))
        .then(reported({ capabilities: { ...capabilities, ...change } }));
  });

  it('stores only the changes', () => {
    const changes = { systemName: 'Desk', driver: null, port: 'LPT1', isDefault: false, isVirtual: true };
    given(...printing)
      .when(pc.sync([report(1, changes)]))
      .then(reported(changes));
  });

  it.each([
    ['none', null],
    ['colour', { contentTypes: ['pdf', 'raw'] as const, color: true, duplex: null, papers: ['A4'] }],
    ['papers', { contentTypes: ['pdf', 'raw'] as const, color: false, duplex: null, papers: ['A5'] }],
    ['types', { contentTypes: ['pdf'] as const, color: false, duplex: null, papers: ['A4'] }],
  ])('detects changed capabilities: %s', (_, capabilities) => {
    given(...printing)
      .when(pc.sync([report(1, { capabilities })]))
      .then(reported({ capabilities }));
  });

  it('takes a printer offline and online with its queue', () => {
    const offline = printerOffline('online', 1, false);
    given(...printing)
      .when(pc.sync([report(1, { online: false })]))
      .then(offline);
    given(...printing, offline)
      .when(pc.sync([report(1)]))
      .then(printerOnline('offline'));
  });

  it('stores the state of the queue even if the status is unchanged', () => {
    given(...printing, updated({ enabled: false }), printerDisabled('online'))
      .when(pc.sync([report(1, { online: false })]))
      .then(reported({ reportedOnline: false }));
  });

  it('removes a missing printer once', () => {
    given(...printing)
      .when(pc.sync([]))
      .then(printerRemoved('online'));
    given(...printing, printerRemoved('online'))
      .when(pc.sync([]))
      .thenNothing();
  });

  it('recognises a returning printer by its key', () => {
    const back = report(1, { systemName: 'Desk' });
    given(...printing, printerRemoved('online'))
      .when(pc.sync([back], []))
      .then(reported({ systemName: 'Desk' }), printerOnline('removed'));
    given(...printing, printerRemoved('online'))
      .when(pc.sync([report(1, { online: false })], []))
      .then(printerOffline('removed', 1, false));
    given(...printing, updated({ enabled: false }), printerDisabled('online'), printerRemoved('disabled'))
      .when(pc.sync([report(1)], []))
      .then(printerDisabled('removed'));
  });

  it('is refused if two printers have the same key', () => {
    given(...started)
      .when(pc.sync([report(1), report(2), report(1)]))
      .thenRejected('PrinterKeyRepeated', { printerKey: 'queue-1' });
  });

  it('is refused with too few ids, and names the needed number', () => {
    const inventory = [report(1), report(2), report(3)];
    given(...printing)
      .when(pc.sync(inventory, [pc.fresh(2)]))
      .thenRejected('PrinterIdsMissing', { needed: 2 });
  });

  it('gives each new printer the id made for its own key, even after a concurrent report', () => {
    given(...printing)
      .when(pc.sync([report(1), report(2)], [pc.fresh(1), pc.fresh(2)]))
      .then(detected(2), printerOnline('offline', 2));
  });

  it('is refused for a revoked computer', () => {
    given(pc.registered, pc.revoked).when(pc.sync([])).thenRejected('ComputerRevoked');
  });
});

describe('bounding the changes of inventories', () => {
  const later = (seconds: number) => plus(NOON, seconds * 1_000);
  const renamed = (name: string, n = 1) => report(n, { systemName: name });
  const all = undefined;

  it('updates the properties of a printer once a minute, to the newest name', () => {
    const once = [...printing, reported({ systemName: 'A' })];
    const second = given(...once);
    second.when(pc.sync([renamed('B')], all, { at: later(59) })).then(deferred(later(119)));
    given(...once, deferred(later(119)))
      .when(pc.sync([renamed('C')], all, { at: later(118) }))
      .then(reported({ systemName: 'C' }, 1, later(118)));
    given(...once, deferred(later(60)))
      .when(pc.sync([renamed('C')], all, { at: later(60) }))
      .then(reported({ systemName: 'C' }, 1, later(60)), deferred(null));
  });

  it('stores a status at once, without the deferred name', () => {
    given(...printing, reported({ systemName: 'A' }))
      .when(pc.sync([report(1, { systemName: 'B', online: false })], all, { at: later(1) }))
      .then(printerOffline('online', 1, false), deferred(later(61)));
  });

  it('stores the state of a disabled queue at once, without the deferred name', () => {
    const disabled = [
      ...printing,
      updated({ enabled: false }),
      printerDisabled('online'),
      reported({ systemName: 'A' }),
    ];
    given(...disabled)
      .when(pc.sync([report(1, { systemName: 'B', online: false })], all, { at: later(1) }))
      .then(updated({ reportedOnline: false }), deferred(later(61)));
    given(...disabled, updated({ reportedOnline: false }))
      .when(pc.sync([report(1, { systemName: 'A', online: true })], all, { at: later(2) }))
      .then(updated({ reportedOnline: true }));
  });

  it('stores a manual name at once, and the next inventory after it', () => {
    given(...printing, updated({ alias: 'Till' }))
      .when(pc.sync([renamed('B')]))
      .then(reported({ systemName: 'B' }));
  });

  it('treats a clock that was set back as running on', () => {
    given(...printing, reported({ systemName: 'A' }, 1, later(3_600)))
      .when(pc.sync([renamed('B')]))
      .then(reported({ systemName: 'B' }));
  });

  it('records a deferral at most once a minute', () => {
    given(...printing, reported({ systemName: 'A' }), deferred(later(60)))
      .when(pc.sync([renamed('B')], all, { at: later(30) }))
      .thenNothing();
    given(...printing, reported({ systemName: 'A' }), deferred(later(60)))
      .when(pc.sync([renamed('A')], all, { at: later(30) }))
      .thenNothing();
    given(...printing, reported({ systemName: 'A' }), deferred(later(60)))
      .when(pc.sync([renamed('A')], all, { at: later(60) }))
      .then(deferred(null));
  });

  it('spends the budget on statuses, new printers and names, in this order', () => {
    const three = [...printing, detected(2), printerOnline('offline', 2)];
    const inventory = [renamed('A'), report(3)];
    const spending = (budget: number) => given(...three).when(pc.sync(inventory, all, { budget }));
    const wait = deferred(later(60));
    spending(0).then(wait);
    spending(1).then(printerRemoved('online', 2), wait);
    spending(2).then(detected(3), printerOnline('offline', 3), printerRemoved('online', 2), wait);
    spending(3).then(
      reported({ systemName: 'A' }),
      detected(3),
      printerOnline('offline', 3),
      printerRemoved('online', 2),
    );
  });

  it('needs no ids for new printers beyond the budget', () => {
    given(...printing)
      .when(pc.sync([report(1), report(2)], [], { budget: 0 }))
      .then(deferred(later(60)));
  });

  it('requests the inventory again once deferred changes may be stored', () => {
    const waiting = given(...printing, deferred(later(60))).state();
    expect([later(59), later(60)].map((at) => wantsInventory(waiting, at))).toEqual([false, true]);
    const complete = given(...printing, deferred(later(60)), deferred(null)).state();
    expect(wantsInventory(complete, later(60))).toBe(false);
    expect(wantsInventory(given(...started).state(), NOON)).toBe(true);
  });
});

describe('recognising a printer by its device', () => {
  const DEVICE = 'urn:uuid:5c1e0000-0000-4000-8000-000000000001';
  const withDevice = (n: number, printerKey = `queue-${n}`, deviceIdentity = DEVICE) =>
    report(n, { printerKey, deviceIdentity });
  const known = [...started, detected(1, { deviceIdentity: DEVICE }), printerOnline('offline')];

  it('keeps the id of a queue that was renamed', () => {
    given(...known)
      .when(pc.sync([report(1, { printerKey: 'renamed', systemName: 'Renamed', deviceIdentity: DEVICE })]))
      .then(reported({ printerKey: 'renamed', systemName: 'Renamed' }));
  });

  it('brings a removed printer back under its new key', () => {
    given(...known, printerRemoved('online'))
      .when(pc.sync([withDevice(1, 'replugged')]))
      .then(reported({ printerKey: 'replugged' }), printerOnline('removed'));
  });

  it('stores a new key at once, although other changes wait for a minute', () => {
    given(...known, reported({ driver: 'Other' }))
      .when(pc.sync([withDevice(1, 'renamed')]))
      .then(reported({ printerKey: 'renamed', driver: 'Generic' }));
  });

  it('adds a second queue of a device that is still there', () => {
    given(...known)
      .when(pc.sync([withDevice(1), withDevice(2)]))
      .then(detected(2, { deviceIdentity: DEVICE }), printerOnline('offline', 2));
  });

  it('does not choose between two equal devices of the inventory', () => {
    given(...known)
      .when(pc.sync([withDevice(2), withDevice(3)]))
      .then(
        ...[2, 3].flatMap((n) => [detected(n, { deviceIdentity: DEVICE }), printerOnline('offline', n)]),
        printerRemoved('online'),
      );
  });

  it('does not choose between two known printers of equal devices', () => {
    given(...known, detected(2, { deviceIdentity: DEVICE }), printerOnline('offline', 2))
      .when(pc.sync([withDevice(2), withDevice(3)]))
      .then(detected(3, { deviceIdentity: DEVICE }), printerOnline('offline', 3), printerRemoved('online'));
  });

  it('keeps to the key of a queue whose device was exchanged', () => {
    given(...known)
      .when(pc.sync([withDevice(1, 'queue-1', 'usb:2')]))
      .then(reported({ deviceIdentity: 'usb:2' }));
  });
});
