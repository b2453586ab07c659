import { Resolver, lookup } from 'node:dns/promises';

/** All addresses of a name. @throws when it has none or nobody can say. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** One query waits this long, twice; the caller gives up earlier. */
const QUERY = { timeout: 1_500, tries: 2 };

/**
 * Asks the name servers, A and AAAA. Not getaddrinfo: that blocks one of few threads for as long as a dead server
 * likes, and reads names out of /etc/hosts.
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

/** What the machine itself thinks, `localhost` and /etc/hosts included: for development. */
export const askMachine: Resolve = async (name) => {
  const found = await lookup(name, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
};
