import type { RenewedCredential } from '../service/protocol.js';
import type { StateFolder, StoredCredential } from './state-folder.js';

/**
 * The device credential of this computer, and the one before it. A renewed credential is stored before its first use.
 * The older one stays: the service may have lost the renewal, or have answered a repeat of it with another one.
 */
export class DeviceCredentials {
  private readonly refused = new Set<string>();

  constructor(
    private stored: StoredCredential,
    private readonly state: StateFolder,
  ) {}

  /** The newest that the service has not refused. */
  get current(): string {
    const { device_credential: newest, previous_credential: previous } = this.stored;
    return this.refused.has(newest) ? (previous ?? newest) : newest;
  }

  /** Undefined if neither enrolment nor session told it. */
  get expiresAt(): string | undefined {
    return this.stored.credential_expires_at;
  }

  /** The service refused a call with `secret`. True if another credential may work. */
  refuse(secret: string): boolean {
    this.refused.add(secret);
    return !this.refused.has(this.current);
  }

  /** @throws WriteFailed; the current credential stays then */
  async renewed(fresh: RenewedCredential): Promise<void> {
    const next = { ...this.stored, ...fresh, previous_credential: this.current };
    await this.state.storeCredential(next);
    this.stored = next;
  }

  /** Of an Agent that was enrolled before it kept the time. */
  learnExpiry(expiresAt: string | undefined): void {
    if (this.current === this.stored.device_credential)
      this.stored = { ...this.stored, credential_expires_at: expiresAt ?? this.expiresAt };
  }
}
