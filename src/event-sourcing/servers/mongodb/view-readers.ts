import type { Collection, Db } from 'mongodb';
import type { ViewDefinition } from '../../../kernel/projection.js';
import type { ReadStateCache } from './read-state-cache.js';
import { calling } from './mongo-errors.js';
import type { ViewRow } from './view-rows.js';

export class ViewReaders {
  constructor(
    private readonly db: Db,
    private readonly state: ReadStateCache,
    /** Also reads while others wait for the recovery of a rolled-back log. */
    private readonly evenRolledBack = false,
  ) {}

  /** A dropped collection looks empty, so repeat if the active build has changed. @throws UnavailableError */
  async ask<T>(
    view: ViewDefinition,
    question: (rows: Collection<ViewRow>) => Promise<T>,
    isLacking: (answer: T) => boolean,
  ): Promise<T> {
    const collection = await this.state.collectionOf(view, this.evenRolledBack);
    const put = (asked: string) => calling(() => question(this.db.collection<ViewRow>(asked)));
    const answer = await put(collection);
    if (!isLacking(answer)) return answer;
    const now = await this.state.collectionNow(view, this.evenRolledBack);
    return now === collection ? answer : put(now);
  }
}
