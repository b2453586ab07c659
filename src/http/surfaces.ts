import { eventWebhooks } from '../api/resources/event-webhooks.js';
import { agentErrors } from './errors/agent.errors.js';
import type { ErrorCatalogue, RefusalKind } from './errors/catalogue.js';
import { integrationErrors, integrationRefusals } from './errors/integration.errors.js';
import { operatorErrors } from './errors/operator.errors.js';
import { partnerErrors, partnerRefusals, plainRefusals } from './errors/partner.errors.js';

export type SurfaceName = 'integration' | 'partner' | 'agent' | 'operator';

/** What one family of clients sees: its paths, its codes, its headers, its bodies. */
export interface Surface {
  readonly name: SurfaceName;
  readonly title: string;
  /** Paths that begin so (whole segments) belong to the surface. */
  readonly prefixes: readonly string[];
  readonly errors: ErrorCatalogue;
  readonly refusals: Readonly<Record<RefusalKind, string>>;
  /** Headers of every answer beside request and correlation id. */
  readonly headers: (versions: Versions) => Readonly<Record<string, string>>;
  /** `contract` and `status` stand in the error body as well. */
  readonly detailedErrors: boolean;
  /** Success answers carry a message. */
  readonly messages: boolean;
  /** Fields that must not be named in a body or query: authority comes from the credential. */
  readonly authorityFields: readonly string[];
  /** Requests a minute of one credential over all operations. */
  readonly perMinute?: number;
  /** The `webhooks` of its OpenAPI document. */
  readonly webhooks?: () => Readonly<Record<string, unknown>>;
}

export interface Versions {
  readonly product: string;
  readonly contract: 'v1';
  readonly schema: 23;
}

const managedHeaders = (versions: Versions) => ({
  'x-svc-version': versions.product,
  'x-svc-api-contract-version': versions.contract,
  'x-svc-managed-contract-version': versions.contract,
  'cache-control': 'no-store',
});

export const integration: Surface = {
  name: 'integration',
  title: 'Integration API',
  prefixes: ['/v1'],
  errors: integrationErrors,
  refusals: integrationRefusals,
  headers: (versions) => ({ 'x-svc-version': versions.product, 'x-svc-api-version': versions.contract }),
  detailedErrors: true,
  messages: true,
  authorityFields: [],
  webhooks: eventWebhooks,
};

export const partner: Surface = {
  name: 'partner',
  title: 'Partner API',
  prefixes: ['/v1/managed', '/v1/accounts'],
  errors: partnerErrors,
  refusals: partnerRefusals,
  headers: managedHeaders,
  detailedErrors: false,
  messages: false,
  authorityFields: ['partner', 'partner_id', 'provider', 'account_id', 'environment'],
  perMinute: 900,
};

export const agent: Surface = {
  ...partner,
  name: 'agent',
  title: 'Agent protocol',
  prefixes: ['/v1/agent'],
  errors: agentErrors,
  refusals: plainRefusals,
  authorityFields: [],
  perMinute: 600,
};

export const operator: Surface = {
  ...partner,
  name: 'operator',
  title: 'Operator surface',
  prefixes: ['/v1/operator'],
  errors: operatorErrors,
  refusals: plainRefusals,
  authorityFields: [],
  perMinute: undefined,
};

export const surfaces: readonly Surface[] = [partner, agent, operator, integration];

/** The surface a path belongs to; what is nobody's is answered as Integration. */
export function surfaceOf(url: string): Surface {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  const owns = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
  return surfaces.find((surface) => surface.prefixes.some(owns)) ?? integration;
}
