import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';

type TypeAndPosition = Pick<RecordedEvent, 'type' | 'position'>;

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

  readonly isProjected = ({ type }: Pick<TypeAndPosition, 'type'>): boolean => this.handled.has(type);

  lastProjected(events: readonly TypeAndPosition[]): Position {
    const projected = events.filter(this.isProjected);
    return projected.reduce<Position>((last, { position }) => (position > last ? position : last), '');
  }
}
