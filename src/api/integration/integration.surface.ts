import type { Surface } from '../../http/surface.js';
import { eventWebhooks } from '../resources/event-webhooks.js';
import { columnOf } from '../errors/answers.js';

export const integration: Surface = {
  name: 'integration',
  title: 'Integration API',
  prefixes: ['/v1'],
  ...columnOf('integration'),
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
