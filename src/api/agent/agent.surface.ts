import { managedHeaders, type Surface } from '../../http/surface.js';
import { columnOf } from '../errors/answers.js';

export const agent: Surface = {
  name: 'agent',
  title: 'Agent protocol',
  prefixes: ['/v1/agent'],
  ...columnOf('agent'),
  okCode: 'OK',
  params: { job_id: 'JOB_NOT_FOUND', lease_id: 'LEASE_NOT_FOUND' },
  headers: managedHeaders,
  detailedErrors: false,
  messages: false,
  authorityFields: [],
  perMinute: 600,
  beginsNoTraces: true,
  document: {
    path: '/v1/agent/openapi.json',
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
  },
};
