import type { Timer } from '../../kernel/process.js';
import type { Instant } from '../../kernel/time.js';
import { TimerStore } from '../../ports/timer-store.port.js';
import { timersView } from '../../event-sourcing/timers/timers.projection.js';
import type { SqliteViewStore } from './sqlite-view-store.js';
import { columnOf } from './view-table.js';
import type { WriterClient } from './writer-client.js';

const DUE = columnOf('due_at');

/** Timers by due time, along the view's index: only those that are due cost anything. */
export class SqliteTimerStore extends TimerStore {
  constructor(
    private readonly views: SqliteViewStore,
    private readonly writer: WriterClient,
  ) {
    super();
  }

  async due(now: Instant, limit: number): Promise<readonly Timer[]> {
    const docs = this.views.texts(
      timersView,
      (table) => `SELECT doc FROM ${table} WHERE ${DUE} <= ? ORDER BY ${DUE}, birth LIMIT ?`,
      [now, limit],
    );
    return docs.map((doc) => JSON.parse(doc) as Timer);
  }

  async next(): Promise<Instant | undefined> {
    const [earliest] = this.views.texts(
      timersView,
      (table) => `SELECT ${DUE} FROM ${table} ORDER BY ${DUE} LIMIT 1`,
      [],
    );
    return earliest;
  }

  async defer({ id, armed_by: armedBy }: Timer, due: Instant): Promise<void> {
    await this.writer.submit({ kind: 'defer_timer', id, armedBy, due }, () => undefined);
  }
}
