import { readFileSync, writeFileSync } from 'node:fs';
import { fill } from './library/fill.js';
import { ServiceProcess } from './programs/service.js';
import { call, openCustomer, type Customer } from './world.js';

/** The customer whose jobs they are: beside the data folder, which holds no secret of a key. */
const customerFile = (dataDir: string) => `${dataDir}.customer.json`;

/** Fills a new data folder: a customer through the API, then so many jobs of it straight into the event store. */
export async function makeManyJobs(dataDir: string, jobs: number): Promise<{ events: number }> {
  const service = await ServiceProcess.start(dataDir);
  const customer = await openCustomer(service);
  await service.stop();
  writeFileSync(customerFile(dataDir), JSON.stringify(customer));
  return { events: await fill(dataDir, customer, jobs) };
}

/** The customer with many jobs. */
export async function readerOf({ dataDir }: ServiceProcess): Promise<Customer> {
  return JSON.parse(readFileSync(customerFile(dataDir), 'utf8')) as Customer;
}

/** Resolves when the service answers the first request for one of the many. */
export async function firstPage(service: ServiceProcess, key: string): Promise<void> {
  await call(service.url, key, 'GET', '/svc-api-print-jobs?limit=1');
}
