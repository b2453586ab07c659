import { randomUUID } from 'node:crypto';

/** What the service stores of a new job, as the payload of a queue. */
export const payload = (n) => ({
  jobId: randomUUID(),
  accountId: '01a208dc-c239-741b-82c3-6ef9692ab525',
  printerId: '01a208dc-c239-741b-82c3-770a0793f782',
  printerCode: 'PR-0A1B2C3D',
  printerName: 'Front desk',
  computerId: '01a208dc-c239-741b-82c3-7173ef558875',
  computerName: 'RECEPTION',
  externalId: `order-${n}`,
  title: `Order ${n}`,
  contentType: 'text',
  contentHash: 'c0ffee'.repeat(10).padEnd(64, '0'),
  content: 'a'.repeat(300),
  copies: 1,
});

/** Steps after the create, each durable before the next. */
export const STEPS = ['leased', 'accepted', 'handoff', 'spooled', 'completed'];
