import { ObjectId } from 'mongodb';
import type { ViewDefinition } from '../../../kernel/projection.js';

const WITH_DOCUMENTS = '_d';
const WITH_TOTALS = '_t';

/**
 * Collection of one build: view, version, epoch under which it was begun: `job_view_v3_17_6740…_d`. The suffix `_d` says
 * that it holds BSON documents, where earlier releases wrote texts; a further `_t`, that it keeps totals.
 */
export type Place = string;

/** A collection name that was never used before, also after data loss. */
export function newPlace(view: ViewDefinition, epoch: number): Place {
  const id = new ObjectId().toHexString();
  return `${prefixOf(view)}${view.version}_${epoch}_${id}${WITH_DOCUMENTS}${view.countBy ? WITH_TOTALS : ''}`;
}

/** Whether the build in this collection keeps the totals that its view asks for. */
export function keepsTotals(place: Place): boolean {
  return place.endsWith(WITH_TOTALS);
}

/** Version of the view in this collection; undefined for other collections, and for texts of earlier releases. */
export function versionIn(place: Place, view: ViewDefinition): number | undefined {
  return partsOf(place, view)?.version;
}

/** Epoch under which this collection of the view was begun; undefined for other collections. */
export function epochIn(place: Place, view: ViewDefinition): number | undefined {
  return partsOf(place, view)?.epoch;
}

function partsOf(
  place: Place,
  view: ViewDefinition,
): { version: number | undefined; epoch: number } | undefined {
  const prefix = prefixOf(view);
  if (!place.startsWith(prefix)) return undefined;
  const rest = /^(\d+)_(\d+)_[0-9a-f]{24}(_d)?(_t)?$/.exec(place.slice(prefix.length));
  return rest ? { version: rest[3] ? Number(rest[1]) : undefined, epoch: Number(rest[2]) } : undefined;
}

function prefixOf({ name }: ViewDefinition): string {
  return `${name.replaceAll('-', '_')}_v`;
}
