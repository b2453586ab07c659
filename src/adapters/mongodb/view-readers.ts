import type { Collection, Db } from 'mongodb';
import type { ViewDefinition } from '../../kernel/projection.js';
import type { HeardState } from './heard-state.js';
import { calling } from './mongo-errors.js';
import type { ViewRow } from './view-rows.js';

/** Asks the build of a view that readers use. */
export class ViewReaders {
  constructor(
    private readonly db: Db,
    private readonly heard: HeardState,
  ) {}

  /**
   * A place that was dropped answers as an empty one: so an answer in which something is missing counts only when
   * readers still use the place. @throws UnavailableError
   */
  async ask<T>(
    view: ViewDefinition,
    question: (rows: Collection<ViewRow>) => Promise<T>,
    isLacking: (answer: T) => boolean,
  ): Promise<T> {
    const place = await this.heard.placeOf(view);
    const put = (asked: string) => calling(() => question(this.db.collection<ViewRow>(asked)));
    const answer = await put(place);
    if (!isLacking(answer)) return answer;
    const now = await this.heard.placeNow(view);
    return now === place ? answer : put(now);
  }
}
