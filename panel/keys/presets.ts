/** Sets of scopes for a new key. "First integration" is that of the contract, and `getAccount`, its first call. */
export const PRESETS: Readonly<Record<string, readonly string[]>> = {
  'Create jobs only': ['jobs:create'],
  'Print only': ['printers:read', 'jobs:create'],
  'First integration': ['account:read', 'computers:read', 'printers:read', 'jobs:create', 'jobs:read'],
  'Read only': ['account:read', 'computers:read', 'printers:read', 'jobs:read', 'webhooks:read'],
  Everything: [
    'account:read',
    'computers:read',
    'computers:write',
    'printers:read',
    'jobs:read',
    'jobs:create',
    'jobs:cancel',
    'jobs:retry',
    'webhooks:read',
    'webhooks:write',
    'evidence:read',
  ],
};

/** What each scope allows. */
export const SCOPES: Readonly<Record<string, string>> = {
  'jobs:create': 'Send documents to printers.',
  'jobs:read': 'See jobs and their history.',
  'jobs:cancel': 'Cancel jobs that wait.',
  'jobs:retry': 'Print a job again.',
  'printers:read': 'See printers and what they can do.',
  'computers:read': 'See computers and whether they are online.',
  'computers:write': 'Connect, disable and revoke computers.',
  'webhooks:read': 'See webhooks and their deliveries.',
  'webhooks:write': 'Create, change and delete webhooks.',
  'account:read': 'See the account and its plan.',
  'evidence:read': 'Export the proof of what is recorded.',
};
