import type { ApiKeyDocument } from './api-keys.js';

/** A key as the operator sees it: everything but its hash. */
export type ApiKeyResource = Omit<ApiKeyDocument, 'hash'>;

export function apiKeyResource({ hash: _, ...shown }: ApiKeyDocument): ApiKeyResource {
  return shown;
}
