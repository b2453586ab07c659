import { Program } from '../engine/program.js';
import type { Fields } from '../api.js';
import type { World } from '../world.js';

/** A reader of the changes of one account, which goes on with its cursor whatever happens. */
export class Follower {
  readonly seen: string[] = [];
  readonly program: Program;
  private cursor: string | undefined;
  /** Of the last answer. */
  private isAtEnd = false;

  constructor(
    private readonly world: World,
    readonly accountId: string,
    private readonly key: string,
    name: string,
  ) {
    this.program = new Program(world.sim, name);
  }

  async run(): Promise<never> {
    for (;;) {
      const query = { limit: 50, ...(this.cursor !== undefined && { after: this.cursor }) };
      const { status, code, data } = await this.world.request(this.program, 'integration listChanges', {
        ...{ as: this.key, query },
      });
      if (status === 200) this.take(data);
      else if (code === 'SVC_HISTORY_CHANGED') this.beginAgain();
      else if (status !== 0 && status !== 403 && status < 500)
        throw new Error(`changes are refused: ${status} ${code}`);
      await this.program.sleep(status === 200 && !this.isAtEnd ? 10 : 30_000 * this.world.sim.random.next());
    }
  }

  private beginAgain(): void {
    this.seen.length = 0;
    this.cursor = undefined;
  }

  private take(data: Fields): void {
    const items = data.items as { event_id: string; account_id: string }[];
    for (const { event_id, account_id } of items) {
      if (account_id !== this.accountId) throw new Error(`${this.program.name} sees account ${account_id}`);
      this.seen.push(event_id);
    }
    this.cursor = String(data.next_cursor);
    this.isAtEnd = data.has_more === false;
  }
}
