/** Sets of scopes for a new key. "First integration" is that of the contract, and `getAccount`, its first call. */
export const PRESETS: Readonly<Record<string, readonly string[]>> = {
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
  ],
};

export const ALL_SCOPES = PRESETS['Everything']!;
