/** Remedy for each error code of the operator surface. */
export const remedies: Readonly<Record<string, string>> = {
  INVALID_REQUEST: '`rps COMMAND --help` shows what the command takes.',
  CREDENTIAL_INVALID:
    'Give the operator token of this service with --token, or its data folder with --data-dir.',
  SCOPE_REQUIRED: 'Give the operator token of this service with --token.',
  ROUTE_NOT_FOUND: 'Check --url; the service may also be of an older release than rps.',
  METHOD_NOT_ALLOWED: 'Check --url; the service may also be of an older release than rps.',
  CONTENT_TOO_LARGE:
    'The limit is that of the account: raise it with `rps account plan ID --max-content-bytes N`.',
  PAYLOAD_TOO_LARGE: 'The service takes at most 16 MiB in one request; send less at once.',
  UNSUPPORTED_MEDIA_TYPE:
    'A proxy may have changed the request: give --url the address of the service itself.',
  RATE_LIMIT_EXCEEDED: 'Wait a minute, then repeat the command.',
  INTERNAL_ERROR: "Look for the request id in the service's log.",
  UNAVAILABLE:
    'Check /health/ready and `rps doctor`, then repeat the command; after a create, look with `list` first.',
  ACCOUNT_NOT_FOUND: '`rps account list` shows all accounts.',
  KEY_NOT_FOUND: '`rps key list --account ID` shows the keys of an account.',
  PARTNER_NOT_FOUND: '`rps partner list` shows all partners.',
  CREDENTIAL_NOT_FOUND: '`rps partner credential` shows the id when it makes a credential.',
  COMPUTER_NOT_FOUND: '`rps job show ID` names the computer of a job.',
  STREAM_NOT_FOUND: '`rps events all` names every stream; the stream of a job is job-<its id>.',
  VIEW_NOT_FOUND: '`rps views list` shows all read models.',
  JOB_NOT_FOUND: '`rps job list` shows the newest jobs of all accounts.',
  CONTENT_NOT_FOUND: '`rps job show ID` shows whether the job may still be printed.',
  CONTENT_DAMAGED:
    'The stored document differs from its hash: `rps doctor` lists damaged documents; restore a backup.',
  SLUG_TAKEN: 'Choose another --slug or --name.',
  ACCOUNT_CLOSED: 'Closing is final: open another account with `rps account create`.',
  STATE_CONFLICT: '`rps computer show ID` and `rps job show ID` show the current status.',
  WORKER_RUNNING: 'Stop the workers, and import through an instance started with ROLE=api.',
  STREAM_DIFFERS: 'Import into new stores, or into stores that only this import has filled.',
  CONTENT_MISMATCH: 'Export the document again with `rps contents export DIR`.',
};

/** Remedy for a request without an answer, by the error code of the system or of Node's TLS. */
export function connectionRemedy(cause: unknown, url: string): string {
  const { code = '', message = '' } = (cause ?? {}) as { code?: string; message?: string };
  if (code === 'ECONNREFUSED')
    return `Start the service (npm start), or give its address with --url; the address was ${url}.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `Check the host name in --url; the address was ${url}.`;
  if (/CERT|SIGNATURE|ISSUER/.test(code))
    return 'Name the certificate authority of the service with NODE_EXTRA_CA_CERTS=/path/ca.crt.';
  if (message.includes('redirect')) return 'Give --url the address that this one redirects to.';
  return `Check that the service runs and that --url is right; the address was ${url}.`;
}
