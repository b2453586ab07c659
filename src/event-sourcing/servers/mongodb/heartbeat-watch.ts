import type { MongoClient } from 'mongodb';
import type { Milliseconds } from '../../../kernel/time.js';

export interface HeartbeatLimits {
  /** Time to connect plus time to answer. */
  readonly checkMs: Milliseconds;
  /** For a check that the server answers only after a change. */
  readonly awaitedMs: Milliseconds;
  /** This process itself may have been blocked. */
  readonly graceMs: Milliseconds;
}

const LIMITS: HeartbeatLimits = { checkMs: 6_500, awaitedMs: 14_000, graceMs: 1_000 };
const PAUSE_MS: Milliseconds = 1_000;

/** The driver's default. With a longer interval a healthy check would exceed the limits of the watch. */
const LONGEST_FREQUENCY_MS: Milliseconds = 10_000;

/** @throws Error if the URL makes the driver check the server more rarely than the watch expects */
export function refuseRareHeartbeats({ options }: Pick<MongoClient, 'options'>): void {
  if (options.heartbeatFrequencyMS <= LONGEST_FREQUENCY_MS) return;
  throw new Error(`heartbeatFrequencyMS in MONGODB_URL must be at most ${LONGEST_FREQUENCY_MS}`);
}

/** Driver 7.8 never ends a check whose connection closes just before a write (cmap/connection.js). */
export class HeartbeatWatch {
  private readonly pending = new Map<string, NodeJS.Timeout>();
  private reviving: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly client: Pick<MongoClient, 'on' | 'close' | 'connect'>,
    private readonly revived: () => void,
    private readonly limits: HeartbeatLimits = LIMITS,
  ) {
    const { checkMs, awaitedMs } = limits;
    client.on('serverHeartbeatStarted', ({ connectionId, awaited }) =>
      this.begun(connectionId, awaited ? awaitedMs : checkMs),
    );
    client.on('serverHeartbeatSucceeded', ({ connectionId }) => this.ended(connectionId));
    client.on('serverHeartbeatFailed', ({ connectionId }) => this.ended(connectionId));
    client.on('serverClosed', ({ address }) => this.ended(address));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.reset();
    await this.reviving;
  }

  private begun(server: string, ms: Milliseconds): void {
    if (this.stopped) return;
    this.expect(server, ms, () => this.expect(server, this.limits.graceMs, () => this.revive()));
  }

  private ended(server: string): void {
    clearTimeout(this.pending.get(server));
    this.pending.delete(server);
  }

  private expect(server: string, ms: Milliseconds, late: () => void): void {
    this.ended(server);
    this.pending.set(server, setTimeout(late, ms).unref());
  }

  private revive(): void {
    this.reset();
    this.reviving ??= this.connectAnew().finally(() => (this.reviving = undefined));
  }

  private async connectAnew(): Promise<void> {
    await this.client.close().catch(() => undefined);
    this.revived();
    while (!this.stopped && !(await this.connects())) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  private async connects(): Promise<boolean> {
    return this.client.connect().then(
      () => true,
      () => false,
    );
  }

  private reset(): void {
    for (const server of [...this.pending.keys()]) this.ended(server);
  }
}
