import type { ErrorCode } from '../../../http/errors/api-error.js';
import type { OperationSpec } from '../../../http/operation.js';
import { Computer } from '../../resources/computer.resource.js';
import { Enrollment } from '../../resources/enrollment.resource.js';
import { Printer } from '../../resources/printer.resource.js';
import { UpdatePrinterBody } from '../../update-printer.request.js';
import { EnrollmentBody } from '../panel.requests.js';
import { CLOSED_TO_WRITES, operationOf } from '../panel.surface.js';

const ofComputers = { tag: 'Computers', scopes: ['computers:write'], limit: { perMinute: 60 } } as const;

export const createEnrollment: OperationSpec = operationOf({
  ...ofComputers,
  id: 'createEnrollment',
  route: 'POST /v1/panel/enrollments',
  summary: 'Create an enrolment token',
  description: 'The token enrols one computer.',
  body: EnrollmentBody,
  bodyOptional: true,
  requestExample: { ttl: 600 },
  success: { status: 201, type: Enrollment, description: 'The token; it is shown this once.', codes: ['OK'] },
  errors: ['ACCOUNT_CLOSED', ...CLOSED_TO_WRITES],
});

interface Change {
  readonly name: 'disable' | 'enable' | 'revoke';
  readonly summary: string;
  readonly description?: string;
  readonly errors?: readonly ErrorCode[];
}

const change = ({ name, errors = ['STATE_CONFLICT'], ...texts }: Change): OperationSpec =>
  operationOf({
    ...ofComputers,
    ...texts,
    id: `${name}Computer`,
    route: `POST /v1/panel/computers/:computer_id/${name}`,
    params: { computer_id: 'COMPUTER_NOT_FOUND' },
    success: { status: 200, type: Computer, description: 'The computer as it is now.', codes: ['OK'] },
    errors: [...errors, ...CLOSED_TO_WRITES],
  });

export const disableComputer = change({ name: 'disable', summary: 'Stop giving work to a computer' });

export const enableComputer = change({
  name: 'enable',
  summary: 'Give work to a disabled computer again',
});

export const revokeComputer = change({
  name: 'revoke',
  summary: 'Take the credential of a computer away',
  description: 'Only a new enrolment brings it back.',
  errors: [],
});

export const updatePrinter: OperationSpec = operationOf({
  id: 'updatePrinter',
  route: 'PATCH /v1/panel/printers/:printer_id',
  summary: 'Update a printer',
  description: 'Enables, disables or renames it. At least one of enabled and display_name.',
  tag: 'Printers',
  scopes: ['panel:printers'],
  limit: { perMinute: 60 },
  params: { printer_id: 'PRINTER_NOT_FOUND' },
  body: UpdatePrinterBody,
  requestExample: { enabled: true, display_name: 'Till 1' },
  success: { status: 200, type: Printer, description: 'The printer as it is now.', codes: ['OK'] },
  errors: CLOSED_TO_WRITES,
});
