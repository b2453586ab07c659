import { parseCredential } from '../../kernel/credential.js';
import type { OperationSpec } from '../../http/operation.js';
import { partner } from './partner.surface.js';
import { EnrollBody, EnrolledDevice } from './enroll.requests.js';

const id = '01990000-0000-7000-8000-000000000001';

export const enrollDevice: OperationSpec = {
  id: 'enrollDevice',
  surface: partner,
  route: 'POST /v1/managed/enroll',
  summary: 'Enrol a computer',
  tag: 'Computers',
  description: 'Redeems an enrolment token for a device credential.',
  auth: 'none',
  limit: { perMinute: 20, key: ({ body }) => tokenSubject((body as EnrollBody).enrollment_token) },
  body: EnrollBody,
  requestExample: {
    enrollment_token: 'svc_enroll_live_…',
    installation_id: id,
    hostname: 'FRONT-DESK',
    operating_system: 'Windows 11',
    agent_version: '2.0.59',
  },
  success: {
    status: 200,
    description: 'The computer is enrolled; the credential is shown this once.',
    type: EnrolledDevice,
    codes: ['DEVICE_ENROLLED'],
    example: {
      device_id: id,
      account_id: id,
      friendly_code: 'PC-0A1B2C3D',
      device_credential: 'svc_device_live_…',
      credential_expires_at: '2027-05-20T12:00:00.000Z',
      agent: { base_url: 'http://127.0.0.1:3000/v1', poll_wait_seconds: 25, heartbeat_seconds: 20 },
    },
  },
  errors: ['ENROLLMENT_TOKEN_INVALID'],
};

/** Malformed tokens share one counter. */
function tokenSubject(token: string): string {
  return parseCredential(token)?.id ?? 'malformed';
}
