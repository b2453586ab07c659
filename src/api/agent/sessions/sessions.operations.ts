import { MAX_BODY_BYTES, type OperationSpec } from '../../../http/operation.js';
import { agent } from '../agent.surface.js';
import {
  BATCH_BYTES,
  HeartbeatBody,
  InventoryBody,
  LeaseBody,
  ReleaseBody,
  RenewalBody,
  StartSessionBody,
} from '../agent.requests.js';
import {
  HeartbeatAnswer,
  InventoryAnswer,
  LeasesAnswer,
  ReleasedLease,
  RenewedCredential,
  StartedSession,
} from '../agent.resources.js';

const surface = agent;
const id = '01990000-0000-7000-8000-000000000001';
const later = '2026-11-21T12:01:00.000Z';
const position = `2026-11-21T12:00:00.000Z/computer-${id}/0000000007/${id}/AbCdEfGhIjKlMnOpQrSt-_`;

export const startSession: OperationSpec = {
  id: 'startSession',
  surface,
  route: 'POST /v1/agent/sessions',
  summary: 'Start a session',
  tag: 'Computers',
  description: "Reconciles the agent's journal with the service.",
  body: StartSessionBody,
  maxBodyBytes: BATCH_BYTES,
  requestExample: {
    start_id: id,
    installation_id: id,
    agent_version: '2.0.59',
    operating_system: 'Windows 11',
    hostname: 'FRONT-DESK',
    journal: [{ job_id: id, lease_id: id, fence: 1, phase: 'accepted' }],
    seen: position,
  },
  success: {
    status: 200,
    description: 'The newest session wins.',
    type: StartedSession,
    codes: ['OK'],
    example: {
      session_id: id,
      computer_id: id,
      position,
      config: {
        poll_wait_seconds: 25,
        heartbeat_seconds: 20,
        lease_seconds: 60,
        max_leases: 64,
        max_leases_per_printer: 4,
      },
      reconcile: [{ job_id: id, fence: 1, verdict: 'continue' }],
      credential_expires_at: '2027-05-20T12:00:00.000Z',
    },
  },
  errors: ['SESSION_REPLACED'],
};

export const renewCredential: OperationSpec = {
  id: 'renewCredential',
  surface,
  route: 'POST /v1/agent/credential',
  summary: 'Renew the device credential',
  tag: 'Computers',
  description: 'From 30 days before its end. The old credential works until the new one is first used.',
  body: RenewalBody,
  bodyOptional: true,
  requestExample: {},
  success: {
    status: 200,
    description: 'The new credential; a repeat replaces it by another one while it is unused.',
    type: RenewedCredential,
    codes: ['OK'],
    example: {
      device_credential: 'svc_device_live_…',
      credential_expires_at: '2027-05-20T12:00:00.000Z',
    },
  },
  errors: ['CREDENTIAL_NOT_DUE'],
};

export const heartbeat: OperationSpec = {
  id: 'heartbeat',
  surface,
  route: 'POST /v1/agent/heartbeat',
  summary: 'Send a heartbeat',
  tag: 'Computers',
  description: 'Renews presence and leases, and answers which leases are lost.',
  body: HeartbeatBody,
  maxBodyBytes: BATCH_BYTES,
  requestExample: {
    session_id: id,
    leases: [{ lease_id: id }],
    health: {
      free_bytes: 48_000_000_000,
      low_space: false,
      unsent_reports: 0,
      oldest_report_seconds: 0,
      stuck_printers: [
        { printer_key: 'usb-001', reason: 'no progress for 60 s', since: '2026-11-21T11:59:00.000Z' },
      ],
    },
    busy_printers: ['usb-001'],
  },
  success: {
    status: 200,
    description: 'What is renewed and what is lost.',
    type: HeartbeatAnswer,
    codes: ['OK'],
    example: { renewed: [{ lease_id: id, lease_expires_at: later }], lost: [], resync_inventory: false },
  },
  errors: ['SESSION_REPLACED', 'SESSION_NOT_FOUND'],
};

export const putInventory: OperationSpec = {
  id: 'putInventory',
  surface,
  route: 'PUT /v1/agent/inventory',
  summary: 'Report all printers',
  tag: 'Printers',
  description:
    'The whole list: printers that are not in it count as removed. At most 1,000 printers of a computer change in a minute, the properties of each once; further changes wait.',
  body: InventoryBody,
  maxBodyBytes: MAX_BODY_BYTES,
  requestExample: {
    printers: [
      {
        printer_key: 'usb-001',
        name: 'Till 1',
        is_default: true,
        is_virtual: false,
        online: true,
        capabilities: { content_types: ['raw', 'text'], color: false, duplex: null, papers: ['80mm'] },
      },
    ],
  },
  success: {
    status: 200,
    description: 'The printers as the service knows them.',
    type: InventoryAnswer,
    codes: ['OK'],
    example: {
      printers: [{ printer_key: 'usb-001', printer_id: id, printer_code: 'PR-0A1B2C3D', enabled: true }],
      complete: true,
    },
  },
};

export const leaseJobs: OperationSpec = {
  id: 'leaseJobs',
  surface,
  route: 'POST /v1/agent/leases',
  summary: 'Lease print jobs',
  tag: 'Jobs',
  description: 'A long poll: waits up to `wait_seconds` for a job.',
  body: LeaseBody,
  requestExample: { session_id: id, wait_seconds: 25, max: 4 },
  success: [
    {
      status: 200,
      description: 'Work: one job of each printer in turn, oldest first per printer.',
      type: LeasesAnswer,
      codes: ['OK'],
      example: {
        leases: [
          {
            lease_id: id,
            job_id: id,
            fence: 1,
            printer_id: id,
            printer_key: 'usb-001',
            content_type: 'pdf',
            content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
            content_size_bytes: 14230,
            copies: 1,
            document_name: `svc:${id}:1`,
            expires_at: '2026-11-22T12:00:00.000Z',
            lease_expires_at: later,
          },
        ],
        position,
      },
    },
    { status: 204, description: 'No work within the wait.' },
  ],
  errors: ['SESSION_REPLACED', 'SESSION_NOT_FOUND'],
};

export const releaseLease: OperationSpec = {
  id: 'releaseLease',
  surface,
  route: 'POST /v1/agent/leases/:lease_id/release',
  summary: 'Release a lease',
  tag: 'Jobs',
  description: 'Gives a job back that was not handed to the spooler.',
  params: { lease_id: 'LEASE_NOT_FOUND' },
  body: ReleaseBody,
  bodyOptional: true,
  requestExample: { session_id: id },
  success: {
    status: 200,
    description: 'The job is queued again.',
    type: ReleasedLease,
    codes: ['OK'],
    example: { lease_id: id, released: true },
  },
  errors: ['LEASE_NOT_FOUND', 'LEASE_LOST', 'SESSION_REPLACED', 'SESSION_NOT_FOUND'],
};
