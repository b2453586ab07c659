import { Field, optional } from '../../../http/validation/field.js';
import { object, objects } from '../../../http/validation/rules.js';
import { ChangeHead, ChangesEnd, EXAMPLE_PAGE } from '../../resources/change.resource.js';
import type { Resource } from '../../resources/projected-payloads.js';
import { Device, deviceResource, deviceStatusOf } from '../devices/device.resource.js';
import { Job, partnerJobResource } from '../jobs/job.resource.js';
import { DevicePrinter, partnerPrinterResource } from '../printers/printers.controller.js';

class ChangedOfAccount {
  @Field(object(() => Job), optional) job?: Job;
  @Field(object(() => Device), optional) device?: Device;
  @Field(object(() => DevicePrinter), optional) printer?: DevicePrinter;
}

export class AccountChange extends ChangeHead {
  @Field(object(() => ChangedOfAccount)) data!: ChangedOfAccount;
}

export class AccountChangesPage extends ChangesEnd {
  @Field(objects(() => AccountChange, 1_000)) items!: readonly AccountChange[];

  static get example(): object {
    return {
      ...EXAMPLE_PAGE,
      items: EXAMPLE_PAGE.items.map((item) => ({ ...item, data: { job: Job.example } })),
    };
  }
}

/** Heartbeats are no events, so `last_seen_at` is null. */
export function changedOfAccount(changed: Resource): ChangedOfAccount {
  switch (changed.subject) {
    case 'job':
      return { job: partnerJobResource(changed.document) };
    case 'computer':
      return { device: deviceResource(changed.document, undefined) };
    case 'printer': {
      const status = deviceStatusOf(changed.computer.status);
      return { printer: partnerPrinterResource(changed.document, { status, lastSeenAt: undefined }) };
    }
  }
}
