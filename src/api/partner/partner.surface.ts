import { managedHeaders, type Surface } from '../../http/surface.js';
import { columnOf } from '../errors/answers.js';

/** Requests per minute by operation, as `getCapabilities` names them. */
export const LIMITS = {
  provisionAccount: 60,
  deactivateAccount: 30,
  createEnrollment: 60,
  enrollDevice: 20,
  listDevices: 300,
  deactivateDevice: 60,
  listAccountPrinters: 300,
  updatePrinter: 120,
  createJob: 300,
  listJobs: 300,
  getJob: 600,
  explainJob: 300,
  listAccountChanges: 300,
  listManagedChanges: 300,
} as const;

export const partner: Surface = {
  name: 'partner',
  title: 'Partner API',
  prefixes: ['/v1/managed', '/v1/accounts'],
  ...columnOf('partner'),
  okCode: 'OK',
  params: {
    account_id: 'ACCOUNT_NOT_FOUND',
    device_id: 'DEVICE_NOT_FOUND',
    job_id: 'JOB_NOT_FOUND',
    printer_id: 'PRINTER_NOT_FOUND',
  },
  headers: (versions) => ({ ...managedHeaders(versions), 'x-svc-api-version': versions.contract }),
  detailedErrors: false,
  messages: false,
  authorityFields: ['partner', 'partner_id', 'provider', 'account_id', 'environment'],
  perMinute: 900,
  document: {
    path: '/v1/managed/openapi.json',
    introduction: `Provision accounts for your customers, enrol their computers, and print for them.

1. Ask the operator for a partner credential (\`rps partner credential\`) and enter it under Authentication.
2. Check that the service accepts it; replace the address by that of your service:

\`\`\`sh
curl -H "Authorization: Bearer $PARTNER_CREDENTIAL" http://127.0.0.1:3000/v1/managed/health
\`\`\`

3. **Provision an account**, then **Create an enrolment token** for each computer.
4. Choose an online printer from **List printers**.
5. **Create a print job** with your own \`Idempotency-Key\`: a repeat never prints twice.
6. Follow it with **Get a print job**; \`If-None-Match\` and \`Prefer: wait=N\` make polling cheap.`,
    credential: 'Credential of a partner: `svc_partner_live_…`, made by `rps partner credential`.',
  },
};
