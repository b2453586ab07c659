import { readFileSync, writeFileSync } from 'node:fs';
import { fill } from './library/fill.js';
import { ServiceProcess } from './programs/service.js';
import { call, openCustomer, type Customer } from './world.js';

/** File with the credentials of the customer, beside the data folder, which stores only hashes. */
const customerFile = (dataDir: string) => `${dataDir}.customer.json`;

/** Fills a new data folder: opens a customer through the API, then appends its jobs directly to the event store. */
export async function makeManyJobs(dataDir: string, jobs: number): Promise<{ events: number }> {
  const service = await ServiceProcess.start(dataDir);
  const customer = await openCustomer(service);
  await service.stop();
  writeFileSync(customerFile(dataDir), JSON.stringify(customer));
  return { events: await fill(dataDir, () => customer, jobs) };
}

/** The customer with many jobs. */
export async function readerOf({ dataDir }: ServiceProcess): Promise<Customer> {
  return JSON.parse(readFileSync(customerFile(dataDir), 'utf8')) as Customer;
}

/** Resolves when the service answers a first list request. */
export async function firstPage(service: ServiceProcess, key: string): Promise<void> {
  await call(service.url, key, 'GET', '/svc-api-print-jobs?limit=1');
}
