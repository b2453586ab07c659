import type { Surface, SurfaceName } from '../surfaces.js';

/** Groups of the reading page, in its order. */
const TAGS = {
  Account: 'The account of the credential, or the accounts of a partner.',
  Computers: 'Computers with an agent: enrolment, presence and status.',
  Printers: 'Printers of the computers.',
  Jobs: 'Print jobs, from the document to the spooler.',
  Webhooks: 'Signed notifications of events, and their deliveries.',
  Service: 'Health and capabilities.',
} as const;

/** Name of the security scheme in every document; the reading page selects it. */
export const SECURITY_SCHEME = 'credential';

export type Tag = keyof typeof TAGS;

/** What a reader needs before the first operation. */
interface Guide {
  /** Markdown, about ten lines, with a first request. */
  readonly introduction: string;
  /** Which credential the operations take, and where it comes from. */
  readonly credential: string;
}

const integration: Guide = {
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
};

const partner: Guide = {
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
};

const agent: Guide = {
  introduction: `The protocol of the program that prints on a computer. One job runs through it from top to bottom.

1. Enrol the computer with a token of \`rps enrollment create\`; enter the device credential under Authentication.
2. **Start a session**; replace the address by that of your service:

\`\`\`sh
curl -H "Authorization: Bearer $DEVICE_CREDENTIAL" -H "Content-Type: application/json" \\
  -d '{"installation_id":"…","agent_version":"1.0.0","operating_system":"Windows 11","journal":[]}' \\
  http://127.0.0.1:3000/v1/agent/sessions
\`\`\`

3. **Report all printers**, then **Send a heartbeat** every 20 seconds.
4. **Lease print jobs**, **Download the document**, **Accept** the job.
5. **Request the hand-off permit** before the document reaches the spooler, then **Report progress and results**.`,
  credential: 'Credential of a computer: `svc_device_live_…`, answered by **Enrol a computer**.',
};

const guides: Partial<Record<SurfaceName, Guide>> = { integration, partner, agent };

/** A surface without a guide has its title only. */
export function guideOf({ name, title }: Surface): Guide {
  return guides[name] ?? { introduction: `${title} of the Remote Printing Service.`, credential: '' };
}

/** Those in use, in the order of the reading page. */
export function tagsOf(operations: readonly { readonly tag?: Tag }[]) {
  const used = new Set(operations.map(({ tag }) => tag));
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name as Tag))
    .map(([name, description]) => ({ name, description }));
}
