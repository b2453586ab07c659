import type { Principal } from '../../http/authentication.js';

/** Every principal of this surface acts for one account. */
export interface AccountPrincipal extends Principal {
  readonly accountId: string;
}
