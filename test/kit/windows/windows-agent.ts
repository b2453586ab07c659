import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { windowsPath, type WindowsProcess, type Wine } from './wine.js';

/** The packaged Agent with its own state folder; can be restarted. */
export class WindowsAgent {
  private running: WindowsProcess | undefined;

  private constructor(
    private readonly wine: Wine,
    readonly stateFolder: string,
    private readonly args: string[],
  ) {}

  static async prepare(wine: Wine, url: string, token: string): Promise<WindowsAgent> {
    const state = join(await mkdtemp(join(wine.root, 'agent-')), 'state');
    const folder = windowsPath(state);
    const args = ['--url', url, '--token', token, '--state', folder, '--inventory-seconds', '0.2'];
    return new WindowsAgent(wine, state, args);
  }

  start(...more: string[]): void {
    this.running = this.wine.agent(...this.args, ...more);
  }

  /** Resolves once the Agent has killed itself. */
  async end(): Promise<void> {
    await this.running?.ended;
  }

  async kill(): Promise<void> {
    this.running?.child.kill('SIGKILL');
    await this.end();
  }

  /** Log of the last start. */
  async output(): Promise<string> {
    return (await this.running?.output()) ?? '';
  }
}
