import { runProgram } from '../programs/program.js';
import type { ServiceProcess } from '../programs/service.js';
import { newKey, openCustomer, type Customer } from '../world.js';
import type { Counts } from './attack.js';

export const LANES = ['small', 'large', 'read'] as const;
export type LaneName = (typeof LANES)[number];

/** Latencies in milliseconds from the planned time of each request. */
export interface LaneResult {
  readonly p50: number;
  readonly p99: number;
  readonly outcomes: Counts;
}
export type VictimReport = Readonly<Record<LaneName, LaneResult>>;

/** API keys of each lane; each stays below its limit of 60 or 120 requests a minute. */
export type Keys = Readonly<Record<LaneName, readonly string[]>>;

export interface VictimParameters {
  readonly url: string;
  readonly customer: Customer;
  readonly keys: Keys;
  readonly seconds: number;
}

const KEYS = { small: 24, large: 24, read: 6 };

/** One account that creates jobs and reads at a steady rate, with several keys. */
export class Victim {
  private constructor(
    private readonly service: ServiceProcess,
    readonly customer: Customer,
    private readonly keys: Keys,
  ) {}

  static async open(service: ServiceProcess): Promise<Victim> {
    const customer = await openCustomer(service);
    const keysFor = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          newKey(service, customer.accountId, ['account:read', 'jobs:create']),
        ),
      );
    const [small, large, read] = await Promise.all(LANES.map((lane) => keysFor(KEYS[lane])));
    return new Victim(service, customer, { small: small!, large: large!, read: read! });
  }

  /** Works for `seconds` in a separate process. */
  work(seconds: number): Promise<VictimReport> {
    const { service, customer, keys } = this;
    const given: VictimParameters = { url: service.url, customer, keys, seconds };
    return runProgram('attacks/victim.program.js', given);
  }
}
