import type { OperationSpec } from '../../../http/operation.js';
import { partner as surface } from '../partner.surface.js';
import { Device } from './device.resource.js';
import { DeactivateDeviceBody, ListDevicesQuery } from '../partner.requests.js';
import { ETAG, IF_NONE_MATCH, UNCHANGED } from '../../polling.js';

const ofAccount = { account_id: 'ACCOUNT_NOT_FOUND' } as const;

export const listDevices: OperationSpec = {
  id: 'listDevices',
  surface,
  route: 'GET /v1/accounts/:account_id/devices',
  summary: 'List devices',
  tag: 'Computers',
  description: 'Newest first.',
  scopes: ['devices:read'],
  limit: { perMinute: 300 },
  params: ofAccount,
  query: ListDevicesQuery,
  headers: IF_NONE_MATCH,
  success: [
    {
      status: 200,
      description: 'A page of devices.',
      type: Device,
      list: 'cursor',
      codes: ['OK'],
      headers: ETAG,
    },
    UNCHANGED,
  ],
};

export const deactivateDevice: OperationSpec = {
  id: 'deactivateDevice',
  surface,
  route: 'POST /v1/accounts/:account_id/devices/:device_id/deactivate',
  summary: 'Deactivate a device',
  tag: 'Computers',
  description:
    'Revokes its credential and ends its session at once; only a new enrolment brings it back. A repeat changes nothing and answers the same.',
  scopes: ['devices:write'],
  limit: { perMinute: 60 },
  params: { ...ofAccount, device_id: 'DEVICE_NOT_FOUND' },
  body: DeactivateDeviceBody,
  bodyOptional: true,
  requestExample: { reason: 'the till was replaced' },
  success: {
    status: 200,
    description: 'The device is revoked.',
    type: Device,
    codes: ['DEVICE_DEACTIVATED'],
    example: { ...Device.example, status: 'revoked', raw_status: 'revoked' },
  },
  errors: ['ACCOUNT_CLOSED'],
};
