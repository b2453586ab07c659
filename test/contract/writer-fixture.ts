import { creationPositionOf } from '../../src/event-sourcing/projections/creation-order.js';
import { metadata } from '../kit/recorded.js';
import { positionFromNumber as at } from '../../src/event-sourcing/write/event-codec.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { GroupLease } from '../../src/event-sourcing/ports/group-leases.port.js';
import type { ReadProgress } from '../../src/event-sourcing/ports/remote-event-store.port.js';
import type { ViewStore } from '../../src/event-sourcing/ports/view-store.port.js';
import type { KeptDocument, ViewBuild, ViewWriter } from '../../src/event-sourcing/ports/view-writer.port.js';

export interface Instance {
  readonly writer: ViewWriter;
  readonly views: ViewStore;
  readonly progress: ReadProgress;
}

export interface WriterFixture {
  /** Two instances over one read store; new for each test. */
  readonly instances: readonly [Instance, Instance];
  /** Deletes everything in the read store. */
  lose(): Promise<void>;
}

export const view: ViewDefinition = { name: 'some-notes', version: 1, indexes: [{ fields: ['folder'] }] };
export const other: ViewDefinition = { ...view, name: 'some-notes-too' };
export const lease = (epoch: number): GroupLease => ({ group: 'views', holder: `holder-${epoch}`, epoch });

/** Begun and activated by this instance, under epoch 1. */
export async function shownBuildOf({ writer }: Instance, of = view): Promise<ViewBuild> {
  await writer.takeOver(lease(1));
  const build = await writer.begin(of, lease(1));
  expect(await writer.activate(build, lease(1))).toBe(true);
  return build;
}

export const kept = (id: string, revision: number, document?: object, born = 1): KeptDocument => ({
  id,
  revision,
  document,
  creationPosition: creationPositionOf({ position: at(born), metadata }, 0),
});
export const note = (id: string, revision: number, text = `as of ${revision}`, born = 1) =>
  kept(id, revision, { id, folder: 'in', text }, born);
