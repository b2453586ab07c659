import type { Operations as Integration } from '../../sdk/src/generated/integration.js';
import type { Operations as Partner } from '../../sdk/src/generated/partner.js';
import type { RemotePrinting } from '../../sdk/src/index.js';
import type { RemotePrintingPartner } from '../../sdk/src/partner.js';

/** A method of a client, or `group.method`. */
type MethodOf<Client> = {
  [Name in keyof Client & string]: Client[Name] extends (...given: never[]) => unknown
    ? Name
    : `${Name}.${keyof Client[Name] & string}`;
}[keyof Client & string];

// The method of each operation: a new operation without one is an error of the compiler.

export const INTEGRATION_METHODS = {
  getAccount: 'account.get',
  listComputers: 'computers.list',
  listPrinters: 'printers.list',
  testPrinter: 'printers.test',
  createPrintJob: 'jobs.create',
  createPrintJobs: 'jobs.createMany',
  listPrintJobs: 'jobs.list',
  getPrintJob: 'jobs.get',
  explainPrintJob: 'jobs.explain',
  cancelPrintJob: 'jobs.cancel',
  retryPrintJob: 'jobs.retry',
  reprintPrintJob: 'jobs.reprint',
  listWebhooks: 'webhooks.list',
  createWebhook: 'webhooks.create',
  updateWebhook: 'webhooks.update',
  deleteWebhook: 'webhooks.delete',
  testWebhook: 'webhooks.test',
  retryWebhookDelivery: 'webhooks.retryDelivery',
  listWebhookDeliveries: 'webhooks.deliveries',
  recoverWebhook: 'webhooks.recover',
  listChanges: 'changes',
} as const satisfies Record<keyof Integration, MethodOf<RemotePrinting>>;

export const PARTNER_METHODS = {
  getHealth: 'health',
  getCapabilities: 'capabilities',
  provisionAccount: 'accounts.provision',
  deactivateAccount: 'accounts.deactivate',
  createEnrollment: 'enrollments.create',
  listDevices: 'devices.list',
  deactivateDevice: 'devices.deactivate',
  listAccountPrinters: 'printers.list',
  updatePrinter: 'printers.update',
  createJob: 'jobs.create',
  createJobs: 'jobs.createMany',
  listJobs: 'jobs.list',
  getJob: 'jobs.get',
  explainJob: 'jobs.explain',
  listAccountChanges: 'accounts.changes',
  listManagedChanges: 'changes',
} as const satisfies Record<keyof Partner, MethodOf<RemotePrintingPartner>>;
