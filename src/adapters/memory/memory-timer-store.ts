import type { Timer } from '../../kernel/process.js';
import type { Instant } from '../../kernel/time.js';
import { TimerStore } from '../../ports/timer-store.port.js';
import { timersView } from '../../event-sourcing/timers/timers.projection.js';
import type { MemoryViews } from './memory-views.js';

export class MemoryTimerStore extends TimerStore {
  constructor(private readonly views: Pick<MemoryViews, 'table'>) {
    super();
  }

  async due(now: Instant, limit: number): Promise<readonly Timer[]> {
    return this.byDueTime()
      .filter(({ due_at }) => due_at <= now)
      .slice(0, limit);
  }

  async next(): Promise<Instant | undefined> {
    return this.byDueTime()[0]?.due_at;
  }

  async defer(timer: Timer, due: Instant): Promise<void> {
    const table = this.views.table(timersView);
    const stored = table.get(timer.id);
    const armed = stored?.document as Timer | undefined;
    if (!stored || armed?.armed_by !== timer.armed_by) return;
    table.set(timer.id, { ...stored, document: { ...armed, due_at: due } });
  }

  private byDueTime(): Timer[] {
    const timers = [...this.views.table(timersView).values()].map(({ document }) => document as Timer);
    return timers.sort((a, b) => (a.due_at < b.due_at ? -1 : a.due_at > b.due_at ? 1 : 0));
  }
}
