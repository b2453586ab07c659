import { Field } from '../../http/validation/field.js';
import { boolean, integer, name, oneOf, text, uuid } from '../../http/validation/rules.js';
import { PRINTER_STATUSES, type PrinterStatus } from '../../contexts/devices/index.js';
import { PrintRequest } from '../print-request.js';
import { CursorQuery } from '../cursor-lists.js';
import { DEVICE_STATUSES, type DeviceStatus } from './devices/device.resource.js';
import { PARTNER_JOB_STATUSES, type PartnerJobStatus } from './jobs/job.resource.js';

const optional = { optional: true } as const;

export class ProvisionAccountBody {
  @Field(text({ max: 160 }), { description: "The partner's own id of the customer" }) external_id!: string;
  @Field(name({ min: 2, max: 120 })) display_name!: string;
}

export class DeactivateAccountBody {
  @Field(text({ max: 500 }), optional) reason: string = 'deactivated by the partner';
}

export class CreateEnrollmentBody {
  @Field(integer(60, 1800), { optional: true, default: 600 }) ttl_seconds: number = 600;
}

export class ListDevicesQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 100 }) limit: number = 100;
  @Field(oneOf(...DEVICE_STATUSES), optional) status?: DeviceStatus;
}

export class DeactivateDeviceBody {
  @Field(text({ min: 10, max: 500 }), optional) reason: string = 'deactivated by the partner';
}

export class ListPrintersQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 100 }) limit: number = 100;
  @Field(oneOf(...PRINTER_STATUSES), optional) status?: PrinterStatus;
  @Field(uuid(), optional) device_id?: string;
  @Field(boolean(), optional) enabled?: boolean;
}

export class CreateJobBody extends PrintRequest {}

export class ListJobsQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 50 }) limit: number = 50;
  @Field(oneOf(...PARTNER_JOB_STATUSES), optional) status?: PartnerJobStatus;
  @Field(uuid(), optional) printer_id?: string;
}
