import { randomUUID } from 'node:crypto';
import { FakeRefusal } from './fake-service-jobs.js';

const DAY_MS = 86_400_000;

/** Device credentials of the fake service. */
export class FakeCredentials {
  /** Days until the end of the credential. */
  daysLeft = 180;
  /** Accepted secrets; the first use of a later one ends the earlier ones. */
  secrets = ['svc_device_live_fake'];

  authenticate(header = ''): void {
    const used = this.secrets.indexOf(header.replace('Bearer ', ''));
    if (used < 0) throw new FakeRefusal(401, 'CREDENTIAL_INVALID');
    if (used > 0) this.daysLeft = 180;
    this.secrets.splice(0, used);
  }

  /** Part of a heartbeat's answer. */
  renewal(): object {
    return this.daysLeft <= 30 ? { renew_credential: true } : {};
  }

  renew(): unknown {
    if (this.daysLeft > 30) throw new FakeRefusal(409, 'CREDENTIAL_NOT_DUE');
    const device_credential = `svc_device_live_fake_${randomUUID()}`;
    this.secrets = [this.secrets[0]!, device_credential];
    return { device_credential, credential_expires_at: new Date(Date.now() + 180 * DAY_MS).toISOString() };
  }
}
