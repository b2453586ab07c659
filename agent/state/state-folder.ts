import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WriteFailed, writeDurably } from './durable-file.js';

/** Result of the enrolment. The credential is the agent's only secret; only the owner can read the file. */
export interface StoredCredential {
  readonly computer_id: string;
  readonly friendly_code: string;
  readonly device_credential: string;
}

/** State kept between starts. */
export class StateFolder {
  constructor(readonly path: string) {}

  static async open(path: string): Promise<StateFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return new StateFolder(path);
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

  credential(): Promise<StoredCredential | undefined> {
    return this.read('credential.json');
  }

  storeCredential(credential: StoredCredential): Promise<void> {
    return this.write('credential.json', credential);
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
