import type { PartnerCredentialDocument } from './partner-credentials.js';

/** A credential as the operator sees it: everything but its hash. */
export type PartnerCredentialResource = Omit<PartnerCredentialDocument, 'hash'>;

export function partnerCredentialResource({
  hash: _,
  ...shown
}: PartnerCredentialDocument): PartnerCredentialResource {
  return shown;
}
