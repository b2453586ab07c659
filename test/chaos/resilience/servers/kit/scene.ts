import { startServers, type Servers } from '../../../../kit/server-stores.js';
import { newMasterKey, WatchedService } from './watched-service.js';

/** Servers, the instance for clients, and optional workers. */
export class Scene {
  private constructor(
    readonly servers: Servers,
    readonly service: WatchedService,
    readonly workers: readonly WatchedService[],
  ) {}

  /** Without workers, the one instance does all work. */
  static async start(workers = 0): Promise<Scene> {
    const servers = await startServers();
    const masterKey = newMasterKey();
    const start = (role: 'all' | 'api' | 'worker') => WatchedService.start(servers, { role, masterKey });
    const others = Array.from({ length: workers }, () => start('worker'));
    const [service, ...rest] = await Promise.all([start(workers > 0 ? 'api' : 'all'), ...others]);
    await service.isReady();
    return new Scene(servers, service, rest);
  }

  get processes(): readonly WatchedService[] {
    return [this.service, ...this.workers];
  }

  /** Logs of all ended processes. */
  get logs(): string {
    return this.processes.map(({ process }) => process.logs).join('');
  }

  /** Cleans up in any state. */
  async end(): Promise<void> {
    const { events, mongo } = this.servers;
    events.thaw();
    mongo.thaw();
    await Promise.all(this.processes.map(({ process }) => process.remove()));
    await this.servers.stop();
  }
}
