import type { ComputerEvent, ComputerEventData } from '../../src/contexts/devices/domain/computer.events.js';
import { idOf } from '../../src/kernel/ids.js';
import { changesBy, typesOf, type Moves, type Projection } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';
import { computersView, type ComputerDocument } from './computers.js';

type Changes = Partial<ComputerDocument>;
type Later = Exclude<
  Extract<
    keyof ComputerEventData,
    | `Computer${string}`
    | `DeviceCredential${string}`
    | 'AgentSessionStarted'
    | 'AgentHealthChanged'
    | 'UnknownJobReported'
    | 'PrinterAdded'
    | 'AddedPrinterRemoved'
  >,
  'ComputerRegistered'
>;

const moves: Moves<ComputerDocument, Pick<ComputerEventData, Later>> = {
  ComputerReenrolled: (data, _, { status }) => ({
    ...described(data),
    name: data.name,
    status: status === 'disabled' ? 'disabled' : 'pending',
    session_id: undefined,
    credential_hash: data.credentialHash,
    credential_expires_at: data.credentialExpiresAt,
    renewed_credential: undefined,
  }),
  DeviceCredentialRenewed: (
    { credentialHash: hash, credentialExpiresAt: expires_at },
    _,
    { updated_at },
  ) => ({
    renewed_credential: { hash, expires_at },
    updated_at,
  }),
  DeviceCredentialReplaced: ({ credentialHash, credentialExpiresAt }, _, { updated_at }) => ({
    credential_hash: credentialHash,
    credential_expires_at: credentialExpiresAt,
    renewed_credential: undefined,
    updated_at,
  }),
  AgentSessionStarted: (data, _, { status }) => ({
    ...described(data),
    name: data.name,
    status: status === 'pending' ? 'offline' : status,
    session_id: data.sessionId,
  }),
  UnknownJobReported: ({ jobId, leaseId, fence, phase }, at, { unknown_jobs = [], updated_at }) => ({
    unknown_jobs: [...unknown_jobs, { job_id: jobId, lease_id: leaseId, fence, phase, reported_at: at }],
    updated_at,
  }),
  AgentHealthChanged: (
    { freeBytes, lowSpace, unsentReports, behind, lastError, stuckPrinters = [] },
    at,
    { updated_at },
  ) => ({
    health: {
      free_bytes: freeBytes,
      low_space: lowSpace,
      unsent_reports: unsentReports,
      behind,
      last_error: lastError,
      stuck_printers: stuckPrinters.map(({ printerKey, ...more }) => ({ printer_key: printerKey, ...more })),
      reported_at: at,
    },
    updated_at,
  }),
  PrinterAdded: ({ name, address }, _, { added_printers = [], updated_at }) => ({
    added_printers: [...added_printers.filter((one) => one.name !== name), { name, address }],
    updated_at,
  }),
  AddedPrinterRemoved: ({ name }, _, { added_printers = [], updated_at }) => ({
    added_printers: added_printers.filter((one) => one.name !== name),
    updated_at,
  }),
  ComputerRenamed: ({ name }) => ({ name }),
  ComputerCameOnline: () => ({ status: 'online' }),
  ComputerWentOffline: () => ({ status: 'offline' }),
  ComputerDisabled: () => ({ status: 'disabled' }),
  ComputerEnabled: ({ status }) => ({ status }),
  ComputerRevoked: () => ({
    status: 'revoked',
    session_id: undefined,
    credential_hash: null,
    credential_expires_at: null,
    renewed_credential: undefined,
  }),
};

export const computersProjection: Projection<ComputerDocument, ComputerEvent> = {
  view: computersView,
  category: 'computer',
  handles: [
    'ComputerRegistered',
    ...typesOf(moves),
    'PrinterDetected',
    'PrinterRemoved',
    'PrinterCameOnline',
    'PrinterWentOffline',
    'PrinterDisabled',
  ],
  keysOf: (event) => (printersMore(event) === 0 ? [] : [idOf(event.stream)]),

  apply(document, event) {
    const { at } = event.metadata;
    if (event.type === 'ComputerRegistered') return registered(event.data, at);
    if (!document) return undefined;
    const sequence = event.revision;
    const more = printersMore(event);
    if (more !== undefined) return { ...document, printer_count: document.printer_count + more, sequence };
    return { ...document, updated_at: at, ...changesBy(moves, event, document), sequence };
  },
};

function printersMore(event: Pick<ComputerEvent, 'type' | 'data'>): number | undefined {
  switch (event.type) {
    case 'PrinterDetected':
      return 1;
    case 'PrinterRemoved':
      return -1;
    case 'PrinterCameOnline':
    case 'PrinterWentOffline':
    case 'PrinterDisabled':
      return (event.data as ComputerEventData['PrinterCameOnline']).previousStatus === 'removed' ? 1 : 0;
    default:
      return undefined;
  }
}

function registered(data: ComputerEventData['ComputerRegistered'], at: Instant): ComputerDocument {
  return {
    computer_id: data.computerId,
    account_id: data.accountId,
    installation_id: data.installationId,
    friendly_code: data.friendlyCode,
    name: data.name,
    ...described(data),
    status: 'pending',
    printer_count: 0,
    created_at: at,
    updated_at: at,
    credential_hash: data.credentialHash,
    credential_expires_at: data.credentialExpiresAt,
    sequence: 0,
  };
}

function described(data: {
  readonly hostname?: string;
  readonly operatingSystem?: string;
  readonly agentVersion?: string;
  readonly installerVersion?: string;
}): Changes {
  const { hostname, operatingSystem, agentVersion, installerVersion } = data;
  return {
    ...(hostname !== undefined && { hostname }),
    ...(operatingSystem !== undefined && { operating_system: operatingSystem }),
    ...(agentVersion !== undefined && { agent_version: agentVersion }),
    ...(installerVersion !== undefined && { installer_version: installerVersion }),
  };
}
