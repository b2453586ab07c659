import type { RecordedEvent } from '../../../kernel/recorded-event.js';

export class FollowedTypes {
  private readonly handled: ReadonlySet<string>;

  constructor(
    /** At least one view handles them. */
    readonly projected: readonly string[],
    /** Only listeners of the instance handle them. */
    private readonly others: readonly string[],
  ) {
    this.handled = new Set(projected);
  }

  get all(): readonly string[] {
    return [...this.projected, ...this.others];
  }

  readonly isProjected = ({ type }: Pick<RecordedEvent, 'type'>): boolean => this.handled.has(type);
}
