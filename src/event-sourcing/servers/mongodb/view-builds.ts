import type { Collection, Db } from 'mongodb';
import type { ViewDefinition } from '../../../kernel/projection.js';
import type { ViewBuild } from '../../ports/view-writer.port.js';
import { LONG_CALL } from './mongo-errors.js';
import { READ_STATE, type ReadState } from './read-state-cache.js';
import { epochIn, newCollectionName } from './collection-names.js';
import { indexesOf } from './view-questions.js';
import type { ViewRow } from './view-rows.js';

export class ViewBuilds {
  constructor(
    private readonly db: Db,
    private readonly states: Collection<ReadState>,
  ) {}

  rows({ location: collection }: ViewBuild): Collection<ViewRow> {
    return this.db.collection(collection);
  }

  /** Drops inactive older builds. */
  async begin(view: ViewDefinition, epoch: number): Promise<ViewBuild> {
    await this.clear(view, epoch);
    const build = { view, location: newCollectionName(view, epoch) };
    await this.rows(build).createIndexes(indexesOf(view), LONG_CALL);
    return build;
  }

  async discard({ location: collection }: Pick<ViewBuild, 'location'>): Promise<void> {
    await this.db.dropCollection(collection, LONG_CALL);
  }

  /** Collections of a later epoch stay: its holder may be filling them. */
  private async clear(view: ViewDefinition, epoch: number): Promise<void> {
    const active = (await this.states.findOne({ _id: READ_STATE }))?.places?.[view.name];
    const collections = await this.db.listCollections({}, { nameOnly: true }).toArray();
    const left = collections.filter(
      ({ name }) => name !== active && (epochIn(name, view) ?? Infinity) <= epoch,
    );
    for (const { name } of left) await this.discard({ location: name });
  }
}
