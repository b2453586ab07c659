import type { OperationSpec } from '../../../http/operation.js';
import { partner as surface } from '../partner.surface.js';
import { ListPrintersQuery } from '../partner.requests.js';
import { UpdatePrinterBody } from '../../update-printer.request.js';
import { ETAG, IF_NONE_MATCH, UNCHANGED } from '../../polling.js';
import { DevicePrinter } from './printer.resource.js';

const ofAccount = { account_id: 'ACCOUNT_NOT_FOUND' } as const;

export const listPrinters: OperationSpec = {
  id: 'listAccountPrinters',
  surface,
  route: 'GET /v1/accounts/:account_id/printers',
  summary: 'List printers',
  tag: 'Printers',
  description: 'Newest first. Removed printers are left out unless asked for with status=removed.',
  scopes: ['printers:read'],
  limit: { perMinute: 300 },
  params: ofAccount,
  query: ListPrintersQuery,
  headers: IF_NONE_MATCH,
  success: [
    {
      status: 200,
      description: 'A page of printers.',
      type: DevicePrinter,
      list: 'cursor',
      codes: ['OK'],
      headers: ETAG,
    },
    UNCHANGED,
  ],
  errors: ['DEVICE_NOT_FOUND'],
};

export const updatePrinter: OperationSpec = {
  id: 'updatePrinter',
  surface,
  route: 'PATCH /v1/accounts/:account_id/printers/:printer_id',
  summary: 'Update a printer',
  tag: 'Printers',
  description: 'Enables, disables or renames it. At least one of enabled and display_name.',
  scopes: ['printers:write'],
  limit: { perMinute: 120 },
  params: { ...ofAccount, printer_id: 'PRINTER_NOT_FOUND' },
  body: UpdatePrinterBody,
  requestExample: { enabled: true, display_name: 'Till 1' },
  success: {
    status: 200,
    description: 'The printer as it is now.',
    type: DevicePrinter,
    codes: ['PRINTER_UPDATED'],
  },
  errors: ['ACCOUNT_CLOSED', 'SVC_ACCOUNT_SUSPENDED'],
};
