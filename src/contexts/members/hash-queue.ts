import { UnavailableError } from '../../kernel/errors.js';

export interface HashRequester {
  /** Sign-in name, or id of the member. */
  readonly name: string;
  /** The narrower and, for IPv6, the wider network of the source address. */
  readonly networks: readonly string[];
  readonly attempts: number;
  readonly isKnown: boolean;
}

interface Waiting {
  readonly requester: HashRequester;
  readonly start: () => void;
  readonly refuse: () => void;
}

const MAX_RUNNING = 2;
/** Limit for known browsers, and for others. */
const MAX_WAITING = 8;
const MAX_OF_NAME = 2;
const MAX_OF_NETWORK = [2, 4] as const;

/**
 * Each hash takes 32 MiB and a thread. Networks with few attempts first
 * (docs/decisions/075-fair-sign-ins.md).
 */
export class HashQueue {
  private running = 0;
  private readonly waiting: Waiting[] = [];

  /** @throws UnavailableError if too many wait */
  async run<T>(requester: HashRequester, hash: () => Promise<T>): Promise<T> {
    if (this.running < MAX_RUNNING) this.running++;
    else await this.turn(requester);
    try {
      return await hash();
    } finally {
      const next = this.waiting.shift();
      if (next) next.start();
      else this.running--;
    }
  }

  private turn(requester: HashRequester): Promise<void> {
    const { name, networks, isKnown } = requester;
    const line = this.waiting.map((other) => other.requester).filter((other) => other.isKnown === isKnown);
    const isFull = line.length >= MAX_WAITING;
    const isTaken =
      line.filter((other) => other.name === name).length >= MAX_OF_NAME ||
      (!isKnown && networks.some((network, n) => countOf(line, network) >= MAX_OF_NETWORK[n]!));
    if (isTaken || (isFull && isKnown)) return Promise.reject(tooMany());
    return new Promise((start, reject) => {
      this.waiting.push({ requester: requester, start, refuse: () => reject(tooMany()) });
      this.waiting.sort((a, b) => rankOf(a) - rankOf(b));
      if (isFull) this.waiting.pop()!.refuse();
    });
  }
}

const rankOf = ({ requester: { isKnown, attempts } }: Waiting) => (isKnown ? 0 : attempts);

const countOf = (line: readonly HashRequester[], network: string) =>
  line.filter(({ networks }) => networks.includes(network)).length;

const tooMany = () => new UnavailableError('too many sign-ins at once', 'not_written');
