import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentStop, ExitCode } from '../exit-codes.js';
import { WriteFailed, writeDurably } from './durable-file.js';

/** Result of the enrolment. The credential is the agent's only secret. */
export interface StoredCredential {
  readonly computer_id: string;
  readonly friendly_code: string;
  readonly device_credential: string;
  readonly credential_expires_at?: string;
  /** The one before the last renewal. */
  readonly previous_credential?: string;
}

/** Encrypts secrets for this computer: DPAPI on Windows. */
export interface Protection {
  protect(text: string): string;
  unprotect(protectedText: string): string;
}

/** The secrets of a credential where the system protects them. */
interface Protected {
  readonly protected_credential?: string;
  readonly protected_previous?: string;
}

const CREDENTIAL_FILE = 'credential.json';

/** State kept between starts. */
export class StateFolder {
  private constructor(
    readonly path: string,
    private readonly protection: Protection | undefined,
  ) {}

  /** @param protection default: that of the system, if it has one; elsewhere only the mode of the file protects */
  static async open(path: string, protection?: Protection): Promise<StateFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return new StateFolder(path, protection ?? (await ofTheSystem()));
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Created and stored before the first enrolment, so that a repeated enrolment yields the same computer. */
  async installationId(): Promise<string> {
    const stored = await this.read<{ installation_id: string }>('installation.json');
    if (stored) return stored.installation_id;
    const installationId = randomUUID();
    await this.write('installation.json', { installation_id: installationId });
    return installationId;
  }

  /** @throws AgentStop if this computer cannot decrypt it: it was protected on another one, or before a reset */
  async credential(): Promise<StoredCredential | undefined> {
    const stored = await this.read<StoredCredential & Protected>(CREDENTIAL_FILE);
    if (!stored) return undefined;
    const { protected_credential: secret, protected_previous: previous, ...credential } = stored;
    if (secret === undefined) {
      // Of an Agent that did not protect it yet.
      if (this.protection) await this.storeCredential(credential);
      return credential;
    }
    return {
      ...credential,
      device_credential: this.unprotected(secret),
      ...(previous !== undefined && { previous_credential: this.unprotected(previous) }),
    };
  }

  storeCredential(credential: StoredCredential): Promise<void> {
    if (!this.protection) return this.write(CREDENTIAL_FILE, credential);
    const { device_credential, previous_credential: previous, ...others } = credential;
    const secrets: Protected = {
      protected_credential: this.protection.protect(device_credential),
      ...(previous !== undefined && { protected_previous: this.protection.protect(previous) }),
    };
    return this.write(CREDENTIAL_FILE, { ...others, ...secrets });
  }

  private unprotected(secret: string): string {
    const unreadable = (reason: string): AgentStop =>
      new AgentStop(
        ExitCode.refused,
        `${this.file(CREDENTIAL_FILE)} cannot be decrypted on this computer: give a new --token (${reason})`,
      );
    if (!this.protection) throw unreadable('it was protected by Windows');
    try {
      return this.protection.unprotect(secret);
    } catch (error) {
      throw unreadable(error instanceof Error ? error.message : String(error));
    }
  }

  async read<T>(name: string): Promise<T | undefined> {
    try {
      return JSON.parse(await readFile(this.file(name), 'utf8')) as T;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new Error(`${this.file(name)} cannot be read: ${String(error)}`, { cause: error });
    }
  }

  /** Throws `WriteFailed`. */
  async write(name: string, value: unknown): Promise<void> {
    try {
      await writeDurably(this.file(name), `${JSON.stringify(value, null, 2)}\n`);
    } catch (error) {
      throw new WriteFailed(this.file(name), error);
    }
  }
}

/** Its native calls can be loaded on Windows only. */
async function ofTheSystem(): Promise<Protection | undefined> {
  return process.platform === 'win32' ? import('./data-protection.js') : undefined;
}
