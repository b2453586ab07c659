import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { withTimeout } from '../../../../async/deadline.js';
import type { Milliseconds } from '../../../../kernel/time.js';
import { SendError } from '../exchange.js';
import type { AddressRule } from './address-rule.js';
import { hostOf, checkUrl, type Target } from './url-rule.js';

/** @throws Error if the name has no address or the lookup fails */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Each query is tried twice within the caller's timeout. */
const QUERY = { timeout: 1_500, tries: 2 };

/** Queries A and AAAA: getaddrinfo blocks one of few threads while a server is dead, and reads /etc/hosts. */
export function askNameServers(): Resolve {
  const resolver = new Resolver(QUERY);
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const failed = answers.find((answer) => answer.status === 'rejected');
    throw new Error(`no address for ${name}`, { cause: failed?.reason });
  };
}

/** For development: also resolves `localhost` and /etc/hosts. */
export const askMachine: Resolve = async (name) => {
  const found = await lookup(name, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
};

export interface Admitted extends Target {
  /** Sorted, IPv4 first. */
  readonly addresses: readonly [string, ...string[]];
}

interface AdmissionOptions {
  readonly insecure: boolean;
  readonly operatorAllows: boolean;
  readonly rule: AddressRule;
  readonly resolve: Resolve;
  readonly resolveWithinMs: Milliseconds;
}

/** Checks the URL and every address of its host before each request; one forbidden address refuses all. */
export class Admission {
  constructor(private readonly options: AdmissionOptions) {}

  /** @throws SendError TARGET_REFUSED, DNS_FAILED */
  async admit(text: string): Promise<Admitted> {
    const { insecure, operatorAllows, rule } = this.options;
    const target = checkUrl(text, insecure, operatorAllows);
    if ('rule' in target) throw new SendError('TARGET_REFUSED', target.rule);
    const host = hostOf(target.url);
    const addresses = isIP(host) === 0 ? await this.resolve(host) : [host];
    for (const address of addresses) {
      const forbidden = rule(address, target);
      if (forbidden === undefined) continue;
      throw new SendError('TARGET_REFUSED', target.publicRule ?? refusal(forbidden));
    }
    const [first, ...more] = [...new Set(addresses)].sort(ipv4First);
    if (first === undefined) throw new SendError('DNS_FAILED', 'must have an address');
    return { ...target, addresses: [first, ...more] };
  }

  private async resolve(host: string): Promise<readonly string[]> {
    const { resolve, resolveWithinMs } = this.options;
    try {
      return await withTimeout(resolveWithinMs, 'resolving a name', () => resolve(host));
    } catch (error) {
      throw new SendError('DNS_FAILED', 'must have a name that resolves', { cause: error });
    }
  }
}

/** Omits the address: otherwise host names could be used to probe the internal network. */
function refusal(forbidden: string): string {
  return forbidden === 'no address' ? 'must resolve to addresses' : 'must resolve to public addresses alone';
}

function ipv4First(one: string, other: string): number {
  return isIP(one) - isIP(other) || (one < other ? -1 : 1);
}
