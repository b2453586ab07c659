import type { Surface } from '../../http/surface.js';
import { columnOf } from '../errors/answers.js';
import { eventWebhooks } from '../resources/event-catalogue.js';

/** Works for a suspended account and a switched-off environment, so that a client can see the reason. */
export const ALWAYS = 'getAccount';

/** Errors by the state of the account, of every operation except getAccount. */
const ACCOUNT_ERRORS = ['SVC_ACCOUNT_SUSPENDED', 'SVC_PUBLIC_API_DISABLED'] as const;

export const integration: Surface = {
  name: 'integration',
  title: 'Integration API',
  prefixes: ['/v1'],
  ...columnOf('integration'),
  okCode: 'SVC_OK',
  params: { job_id: 'SVC_JOB_NOT_FOUND', printer_id: 'SVC_PRINTER_NOT_FOUND' },
  accountErrors: ({ id }) => (id === ALWAYS ? [] : ACCOUNT_ERRORS),
  headers: (versions) => ({ 'x-svc-version': versions.product, 'x-svc-api-version': versions.contract }),
  detailedErrors: true,
  messages: true,
  authorityFields: [],
  document: {
    path: '/v1/openapi.json',
    introduction: `Print documents on printers behind any firewall, and follow each job to its end.

1. Ask the operator for an API key (\`rps key create\`) and enter it under Authentication.
2. Read your account; replace the address by that of your service:

\`\`\`sh
curl -H "Authorization: Bearer $API_KEY" http://127.0.0.1:3000/v1/svc-api-account
\`\`\`

3. Choose an online printer from **List printers**.
4. **Create a print job** with your own \`Idempotency-Key\`: a repeat never prints twice.
5. **Get a print job**, or **Create a webhook** to be notified.

Errors carry a \`code\` for programs and a \`request_id\` for support.`,
    credential: 'API key of an account: `svc_live_…`, made by `rps key create`.',
    webhooks: eventWebhooks,
  },
};
