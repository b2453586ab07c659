import type { OperationSpec } from '../../http/operation.js';
import { RESTORED_FROM } from '../restored-from.js';
import { integration } from './integration.surface.js';
import { PrintJob } from '../resources/print-job.resource.js';
import { Printer } from '../resources/printer.resource.js';
import { ListPrintersQuery } from './requests/device.queries.js';

const surface = integration;

export const listPrinters: OperationSpec = {
  id: 'listPrinters',
  surface,
  route: 'GET /v1/svc-api-printers',
  summary: 'List printers',
  tag: 'Printers',
  description: 'Newest first. Removed printers are left out unless asked for with status=removed.',
  scopes: ['printers:read'],
  limit: { perMinute: 120 },
  query: ListPrintersQuery,
  success: {
    status: 200,
    description: 'A page of printers.',
    type: Printer,
    list: 'page',
    codes: ['SVC_OK'],
  },
  errors: ['SVC_COMPUTER_NOT_FOUND', 'SVC_ACCOUNT_SUSPENDED', 'SVC_PUBLIC_API_DISABLED'],
};

export const testPrinter: OperationSpec = {
  id: 'testPrinter',
  surface,
  route: 'POST /v1/svc-api-printers/:printer_id/test',
  summary: 'Print a test page',
  tag: 'Printers',
  description: 'The page names printer, computer and time.',
  scopes: ['printers:read', 'jobs:create'],
  limit: { perMinute: 20 },
  params: { printer_id: 'SVC_PRINTER_NOT_FOUND' },
  success: {
    status: 202,
    description: 'The test page is queued as a job.',
    type: PrintJob,
    codes: ['SVC_TEST_PRINT_ACCEPTED'],
    example: { ...PrintJob.example, title: 'Test page' },
    headers: RESTORED_FROM,
  },
  errors: [
    'SVC_PLAN_LIMIT_REACHED',
    'SVC_ACCOUNT_SUSPENDED',
    'SVC_VIRTUAL_PRINTERS_ONLY',
    'SVC_PRINTER_NOT_FOUND',
    'SVC_PRINTER_NOT_READY',
    'SVC_CONTENT_TYPE_NOT_SUPPORTED',
    'SVC_CONTENT_TOO_LARGE',
    'SVC_PUBLIC_API_DISABLED',
  ],
};
