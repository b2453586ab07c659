import type { Logger } from 'pino';
import { Refused } from '../service/http-caller.js';
import type { ServiceClient } from '../service/service-client.js';
import type { DeviceCredentials } from '../state/device-credentials.js';
import { stopwatch, WakeSignal } from './timing.js';

const DAY_MS = 86_400_000;
const RENEWED_BEFORE_MS = 30 * DAY_MS;
const HOUR_MS = 3_600_000;

/** Renews the device credential from 30 days before its end, by the clock of this computer or of the service. */
export class CredentialRenewal {
  private readonly wakeSignal = new WakeSignal();
  private requested = false;
  private sinceAnswer: (() => number) | undefined;

  constructor(
    private readonly client: ServiceClient,
    private readonly credentials: DeviceCredentials,
    private readonly log: Logger,
  ) {}

  /** A heartbeat says that the credential ends soon. */
  request(): void {
    this.requested = true;
    this.wakeSignal.notify();
  }

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.once(signal);
      await this.wakeSignal.sleep(HOUR_MS, signal);
    }
  }

  /** Asks at most once an hour: a heartbeat on its way may still speak of the older credential. */
  async once(signal: AbortSignal): Promise<void> {
    const isDue = this.requested || this.endsSoon();
    this.requested = false;
    if (!isDue || (this.sinceAnswer && this.sinceAnswer() < HOUR_MS)) return;
    try {
      const fresh = await this.client.renewCredential(signal);
      await this.credentials.renewed(fresh);
      this.log.info({ expiresAt: fresh.credential_expires_at }, 'credential renewed');
    } catch (error) {
      if (!(error instanceof Refused) || error.endsTheAgent) throw error;
      this.log.warn({ reason: error.message }, 'credential not renewed; asked again in an hour');
    }
    this.sinceAnswer = stopwatch();
  }

  private endsSoon(): boolean {
    const { expiresAt } = this.credentials;
    return expiresAt !== undefined && Date.parse(expiresAt) - Date.now() <= RENEWED_BEFORE_MS;
  }
}
