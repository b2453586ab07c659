import type { ComputerEvent } from '../../src/contexts/devices/domain/computer.events.js';
import { plus } from '../../src/kernel/time.js';
import * as pc from '../../test/kit/examples/devices.js';
import { project } from '../../test/kit/projection.js';
import { NOON, recorded } from '../../test/kit/recorded.js';
import { computerResource } from '../../src/api/resources/computer.resource.js';
import type { ComputerDocument } from './computers.js';
import { computersProjection } from './computers.projection.js';
import { deviceResource } from '../../src/api/partner/devices/device.resource.js';

const after = (...events: ComputerEvent[]) =>
  project(computersProjection, recorded(pc.COMPUTER_STREAM, ...events)).get(pc.COMPUTER_ID);

const pending: ComputerDocument = {
  computer_id: pc.COMPUTER_ID,
  account_id: pc.ACCOUNT_ID,
  installation_id: pc.INSTALLATION_ID,
  friendly_code: 'PC-0A1B2C3D',
  name: 'RECEPTION',
  hostname: 'RECEPTION',
  operating_system: 'Windows 11',
  agent_version: '1.0.0',
  installer_version: '3',
  status: 'pending',
  printer_count: 0,
  created_at: NOON,
  updated_at: NOON,
  credential_hash: pc.credential().credentialHash,
  credential_expires_at: pc.credential().credentialExpiresAt,
  sequence: 0,
};
const online = [pc.registered, pc.sessionStarted(), pc.cameOnline];

describe('showing a computer', () => {
  it('is pending at first', () => {
    expect(after(pc.registered)).toEqual(pending);
  });

  it('lists the unknown jobs of its agent for the operator alone', () => {
    const document = after(...online, pc.unknownJobReported(1), pc.unknownJobReported(2))!;
    expect(document.unknown_jobs).toMatchObject([
      { job_id: pc.unknownJob(1).jobId, fence: 1, phase: 'handing_off' },
      { job_id: pc.unknownJob(2).jobId, fence: 2, phase: 'handing_off' },
    ]);
    expect(document.updated_at).toBe(after(...online)!.updated_at);
    expect(computerResource(document, undefined)).not.toHaveProperty('unknown_jobs');
  });

  it('holds a renewed credential beside the current one until its first use', () => {
    const { credentialHash: hash, credentialExpiresAt: expires_at } = pc.credential(pc.NEW_HASH);
    const document = after(...online, pc.renewed())!;
    expect(document).toMatchObject({
      credential_hash: pc.credential().credentialHash,
      renewed_credential: { hash, expires_at },
      updated_at: after(...online)!.updated_at,
    });
    expect(computerResource(document, undefined)).not.toHaveProperty('renewed_credential');
    expect(after(...online, pc.renewed(), pc.replaced())).toMatchObject({ credential_hash: hash });
    for (const end of [pc.replaced(), pc.reenrolled(), pc.revoked])
      expect(after(...online, pc.renewed(), end)!.renewed_credential).toBeUndefined();
    expect(after(...online, pc.revoked)!.credential_expires_at).toBeNull();
  });

  it('shows the health of its agent for the operator alone', () => {
    const document = after(...online, pc.healthChanged({ lowSpace: true, freeBytes: 7 }))!;
    expect(document.health).toMatchObject({
      low_space: true,
      free_bytes: 7,
      behind: false,
      last_error: null,
      stuck_printers: [],
    });
    expect(document.updated_at).toBe(after(...online)!.updated_at);
    expect(computerResource(document, undefined)).not.toHaveProperty('health');
  });

  it('follows its agent sessions', () => {
    const started = pc.sessionStarted({ agentVersion: '1.1.0', hostname: 'LOBBY', name: 'LOBBY' });
    expect(after(pc.registered, started, pc.cameOnline)).toEqual({
      ...pending,
      name: 'LOBBY',
      hostname: 'LOBBY',
      agent_version: '1.1.0',
      status: 'online',
      session_id: pc.SESSION_ID,
      updated_at: plus(NOON, 2000),
      sequence: 2,
    });
  });

  it.each<[ComputerEvent[], Partial<ComputerDocument>]>([
    [[pc.wentOffline], { status: 'offline' }],
    [[pc.disabled], { status: 'disabled' }],
    [[pc.disabled, pc.enabled('offline')], { status: 'offline' }],
    [[pc.revoked], { status: 'revoked', credential_hash: null, session_id: undefined }],
    [[pc.reenrolled()], { status: 'pending', credential_hash: pc.NEW_HASH, session_id: undefined }],
    [[pc.disabled, pc.reenrolled()], { status: 'disabled', credential_hash: pc.NEW_HASH }],
  ])('follows %j', (events, changes) => {
    expect(after(...online, ...events)).toMatchObject(changes);
  });

  it("counts printers that are not removed, without changing the computer's updated_at", () => {
    const found = [...online, pc.detected(1), pc.printerOnline('offline'), pc.detected(2)];
    const { updated_at } = after(...online)!;
    expect(after(...found)).toMatchObject({ printer_count: 2, updated_at });
    const removed = [...found, pc.printerRemoved('online')];
    expect(after(...removed)).toMatchObject({ printer_count: 1 });
    expect(after(...removed, pc.printerOffline('removed'))).toMatchObject({ printer_count: 2 });
    expect(after(...removed, pc.printerOffline('online', 2))).toMatchObject({ printer_count: 1 });
  });
});

describe('answering with a computer', () => {
  it('omits values that were never reported', () => {
    const { hostname: _, ...unnamed } = pending;
    expect(computerResource(unnamed, undefined)).not.toHaveProperty('hostname');
    expect(computerResource(unnamed, undefined).last_seen_at).toBeNull();
  });

  it('maps the status for partners to online, revoked or offline', () => {
    expect(deviceResource({ ...pending, printer_count: 3 }, undefined)).toEqual({
      device_id: pc.COMPUTER_ID,
      friendly_code: 'PC-0A1B2C3D',
      display_name: 'RECEPTION',
      hostname: 'RECEPTION',
      operating_system: 'Windows 11',
      agent_version: '1.0.0',
      status: 'offline',
      raw_status: 'pending',
      last_seen_at: null,
      printer_count: 3,
      created_at: NOON,
    });
    const seen = (['online', 'offline', 'disabled', 'revoked'] as const).map(
      (status) => deviceResource({ ...pending, status }, undefined).status,
    );
    expect(seen).toEqual(['online', 'offline', 'offline', 'revoked']);
  });
});
