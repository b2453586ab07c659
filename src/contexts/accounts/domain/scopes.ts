export const INTEGRATION_SCOPES = [
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
] as const;

export const PARTNER_SCOPES = [
  'diagnostics:read',
  'accounts:write',
  'devices:read',
  'devices:write',
  'printers:read',
  'printers:write',
  'jobs:read',
  'jobs:write',
  'webhooks:write',
] as const;

export const TEST_SCOPES = ['diagnostics:read'] as const;

export type ScopeRejection =
  { readonly code: 'ScopesMissing' } | { readonly code: 'ScopeUnknown'; readonly scope: string };

/** Returns each scope once, in the order of the catalogue, or the first unknown one. */
export function scopesFrom<S extends string>(
  catalogue: readonly S[],
  wanted: readonly string[],
): { readonly scopes: readonly S[] } | { readonly refused: ScopeRejection } {
  if (wanted.length === 0) return { refused: { code: 'ScopesMissing' } };
  const scope = wanted.find((one) => !catalogue.some((known) => known === one));
  if (scope !== undefined) return { refused: { code: 'ScopeUnknown', scope } };
  return { scopes: catalogue.filter((known) => wanted.includes(known)) };
}
