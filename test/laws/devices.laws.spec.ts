import fc from 'fast-check';
import { computersProjection } from '../../projections/computers/computers.projection.js';
import { printersProjection } from '../../projections/printers/printers.projection.js';
import { computerDecider } from '../../src/contexts/devices/domain/computer.decider.js';
import type { ComputerEvent } from '../../src/contexts/devices/domain/computer.events.js';
import { enrollmentDecider } from '../../src/contexts/devices/domain/enrollment.decider.js';
import type { Computer, ComputerCommand, Printer } from '../../src/contexts/devices/index.js';
import { plus } from '../../src/kernel/time.js';
import { keepsTheLaws, live } from '../kit/decider-laws.js';
import * as pc from '../kit/examples/devices.js';
import { project } from '../kit/projection.js';
import { NOON, recorded } from '../kit/recorded.js';

const NUMBERS = [1, 2, 3];
const inventories = fc
  .subarray(NUMBERS)
  .chain((found) =>
    fc.tuple(
      ...found.map((n) =>
        fc
          .record({ online: fc.boolean(), isDefault: fc.boolean(), driver: fc.constantFrom(null, 'Generic') })
          .map((more) => pc.report(n, more)),
      ),
    ),
  );
const wishes = fc.record(
  { enabled: fc.boolean(), displayName: fc.constantFrom('', 'Till'), paused: fc.boolean() },
  { requiredKeys: [] },
);
/** Uses each identity of the pool once: number n for queue n. */
const sync = (printers: Parameters<typeof pc.sync>[0], known: Computer) =>
  pc.sync(
    printers,
    printers
      .filter(({ printerKey }) => !known.printers.some((printer) => printer.printerKey === printerKey))
      .map(({ printerKey }) => pc.fresh(Number(printerKey.slice('queue-'.length)))),
  );

type Asked = (known: Computer) => ComputerCommand;
const syncs: fc.Arbitrary<Asked> = inventories.map((printers) => (known) => sync(printers, known));
const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc
    .constantFrom<ComputerCommand[]>(
      pc.enrol(),
      pc.enrol(pc.credential(pc.NEW_HASH), { displayName: 'Front' }),
      pc.see,
      pc.renew(),
      pc.callWith(pc.NEW_HASH),
      pc.noteReplaced('s1'),
      pc.reportUnknown(pc.unknownJob(1), pc.unknownJob(2)),
      pc.reportHealth(),
      pc.reportHealth({ lowSpace: true }),
      pc.markOffline,
      pc.disable,
      pc.revoke,
      pc.rename('Counter'),
      pc.rename(''),
      pc.addPrinter('Label', 'socket://10.0.0.7'),
      pc.addPrinter('Label', 'socket://10.0.0.8'),
      pc.reportLostEvent('2026-11-21T12', 1),
      pc.reportLostEvent('2026-11-21T13', 0),
    )
    .map((command) => () => command),
  fc.boolean().map((present) => () => pc.enable(present)),
  fc
    .record({ sessionId: fc.constantFrom('s1', 's2'), hostname: fc.constantFrom('RECEPTION', 'LOBBY') })
    .map((more) => () => pc.startSession(more)),
  syncs,
  syncs,
  fc.tuple(wishes, fc.constantFrom(...NUMBERS)).map(
    ([wish, n]) =>
      () =>
        pc.updatePrinter(wish, n),
  ),
);

/** A random life of an enrolled, working computer. */
function lifeOf(wanted: readonly Asked[]) {
  const all: Asked[] = [() => pc.enrol(), () => pc.startSession(), ...wanted];
  const commands: ComputerCommand[] = [];
  let known = computerDecider.initialState;
  for (const ask of all) {
    commands.push(ask(known));
    known = live(computerDecider, commands).at(-1)?.after ?? known;
  }
  return live(computerDecider, commands);
}

const lives = fc.array(asked, { maxLength: 25, size: 'max' }).map(lifeOf);

/** Independent implementation of the status rule. */
function ruled(printer: Printer, computer: Computer): Printer['status'] {
  const rules = [
    ['removed', printer.removed],
    ['disabled', !printer.enabled],
    ['disabled', computer.status === 'disabled' || computer.status === 'revoked'],
    ['offline', computer.status !== 'online'],
    ['offline', !printer.reportedOnline],
  ] as const;
  return rules.find(([, applies]) => applies)?.[0] ?? 'online';
}

const STATUS_AFTER: Partial<Record<ComputerEvent['type'], string>> = {
  PrinterCameOnline: 'online',
  PrinterWentOffline: 'offline',
  PrinterDisabled: 'disabled',
  PrinterRemoved: 'removed',
};

describe('every computer with its printers', () => {
  it('writes nothing for a repeated command and never mutates', () => {
    fc.assert(
      fc.property(lives, (steps) => {
        for (const { command, after } of steps) {
          const again = computerDecider.decide(after, command);
          expect(again.accepted ? again.events : []).toEqual([]);
        }
      }),
    );
  });

  it('has the correct status for every printer after every step', () => {
    fc.assert(
      fc.property(lives, (steps) => {
        for (const { after } of steps) {
          for (const printer of after.printers) expect(printer.status).toBe(ruled(printer, after));
        }
      }),
    );
  });

  it('stores exactly one status event for every status change of a printer', () => {
    fc.assert(
      fc.property(lives, (steps) => {
        for (const { before, events, after } of steps) {
          for (const { printerId, status } of after.printers) {
            const old = before.printers.find((printer) => printer.printerId === printerId);
            const from = old?.status ?? 'offline';
            const told = events.flatMap(({ type, data }) => {
              const to = STATUS_AFTER[type];
              return to && 'previousStatus' in data && data.printerId === printerId
                ? [[data.previousStatus, to]]
                : [];
            });
            expect(told).toEqual(from === status ? [] : [[from, status]]);
          }
        }
      }),
    );
  });

  it('never changes the id of a printer', () => {
    fc.assert(
      fc.property(lives, (steps) => {
        const keys = new Map<string, string>();
        for (const { printerKey, printerId } of steps.flatMap(({ after }) => after.printers)) {
          expect(keys.get(printerKey) ?? printerId).toBe(printerId);
          keys.set(printerKey, printerId);
        }
      }),
    );
  });

  it('equals its read model', () => {
    fc.assert(
      fc.property(lives, (steps) => {
        const events = recorded(pc.COMPUTER_STREAM, ...steps.flatMap((step) => step.events));
        const state = steps.at(-1)?.after ?? computerDecider.initialState;
        const printers = state.printers.filter((printer) => !printer.removed);
        expect(project(computersProjection, events).get(pc.COMPUTER_ID)).toMatchObject({
          status: state.status,
          name: state.name,
          printer_count: printers.length,
          session_id: state.sessionId,
        });
        const shown = project(printersProjection, events);
        expect(shown.size).toBe(state.printers.length);
        for (const printer of state.printers) {
          expect(shown.get(printer.printerId)).toMatchObject({
            status: printer.status,
            enabled: printer.enabled,
            name: printer.alias ?? printer.systemName,
            driver: printer.driver,
            is_default: printer.isDefault,
            raw_status: printer.reportedOnline ? 'online' : 'offline',
            computer_name: state.name,
          });
        }
      }),
    );
  });
});

describe('every computer', () => {
  const commands = [
    pc.enrol(),
    pc.startSession(),
    pc.see,
    pc.renew(),
    pc.callWith(pc.NEW_HASH),
    pc.markOffline,
    pc.disable,
    pc.enable(true),
    pc.revoke,
  ];
  keepsTheLaws(computerDecider, fc.constantFrom<ComputerCommand[]>(...commands, pc.sync([pc.report()])));
});

describe('every enrolment token', () => {
  const claims = fc
    .tuple(fc.constantFrom('i1', 'i2', 'i3'), fc.constantFrom('c1', 'c2', 'c3'), fc.constantFrom(0, 600_000))
    .map(([installation, computer, ms]) => pc.claimEnrollment(installation, computer, plus(NOON, ms)));
  const commands = fc.oneof(claims, fc.constantFrom(pc.createEnrollment, pc.completeEnrollment));
  keepsTheLaws(enrollmentDecider, commands);

  it('is redeemed by at most one installation', () => {
    fc.assert(
      fc.property(fc.array(claims, { minLength: 1 }), (all) => {
        const steps = live(enrollmentDecider, [pc.createEnrollment, ...all]);
        const won = new Set(
          steps.flatMap(({ command }) => ('installationId' in command ? [command.installationId] : [])),
        );
        expect(won.size).toBeLessThanOrEqual(1);
        expect(steps.flatMap(({ events }) => events).length).toBeLessThanOrEqual(2);
      }),
    );
  });
});

describe('every device behind a queue', () => {
  /** Inventories of three devices, whose queues are called otherwise each time. */
  const inventoriesOfDevices = fc.array(
    fc
      .subarray(NUMBERS)
      .chain((found) =>
        fc.tuple(
          ...found.map((device) =>
            fc
              .nat(3)
              .map((name) =>
                pc.report(device, { printerKey: `${device}-${name}`, deviceIdentity: `usb:${device}` }),
              ),
          ),
        ),
      ),
    { maxLength: 20, size: 'max' },
  );
  const identity = ({ printerKey }: { printerKey: string }) => ({
    printerKey,
    printerId: `id of ${printerKey}`,
    printerCode: printerKey,
  });

  it('keeps one printer through renames and re-plugs', () => {
    fc.assert(
      fc.property(inventoriesOfDevices, (all) => {
        const syncs = all.map((reports) => pc.sync(reports, reports.map(identity)));
        const printers = new Map<string, string>();
        for (const { after } of live(computerDecider, [pc.enrol(), pc.startSession(), ...syncs]))
          for (const { deviceIdentity = '', printerId } of after.printers) {
            expect(printers.get(deviceIdentity!) ?? printerId).toBe(printerId);
            printers.set(deviceIdentity!, printerId);
          }
        expect(new Set(printers.values()).size).toBe(printers.size);
      }),
    );
  });

  it('is never taken for another one of the same identity', () => {
    fc.assert(
      fc.property(inventoriesOfDevices, (all) => {
        const twins = all.map((reports) =>
          reports.flatMap((one) => [one, { ...one, printerKey: `twin of ${one.printerKey}` }]),
        );
        const syncs = twins.map((reports) => pc.sync(reports, reports.map(identity)));
        for (const { after } of live(computerDecider, [pc.enrol(), pc.startSession(), ...syncs]))
          expect(after.printers.map(({ printerKey }) => printerKey)).toEqual(
            after.printers.map(({ printerId }) => printerId.replace('id of ', '')),
          );
      }),
    );
  });
});
