import { Resolver, lookup } from 'node:dns/promises';

/** All addresses of a name. @throws Error if it has none or the lookup fails. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Time per query, tried twice; the caller's timeout is shorter than both. */
const QUERY = { timeout: 1_500, tries: 2 };

/**
 * Queries A and AAAA records. Avoids getaddrinfo, which blocks one of few threads while a server is dead, and reads
 * /etc/hosts.
 */
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

/** Resolves like the machine, including `localhost` and /etc/hosts; for development. */
export const askMachine: Resolve = async (name) => {
  const found = await lookup(name, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
};
