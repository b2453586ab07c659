import { ObjectId } from 'mongodb';
import type { ViewDefinition } from '../../../kernel/projection.js';

const WITH_DOCUMENTS = '_d';
const WITH_TOTALS = '_t';
const BY_TIME = '_o';

/** View, version, epoch: `job_view_v3_17_6740…_d`. `_d`: BSON documents; a further `_t`: keeps totals; `_o`: ordered by time. */
export type CollectionName = string;

/** Unused, even after data loss. */
export function newCollectionName(view: ViewDefinition, epoch: number): CollectionName {
  const id = new ObjectId().toHexString();
  return `${prefixOf(view)}${view.version}_${epoch}_${id}${WITH_DOCUMENTS}${view.countBy ? WITH_TOTALS : ''}${BY_TIME}`;
}

export function keepsTotals(collection: CollectionName): boolean {
  return /_t(_o)?$/.test(collection);
}

export function isOrderedByTime(collection: CollectionName): boolean {
  return collection.endsWith(BY_TIME);
}

/** Undefined for other collections, and for texts of earlier releases. */
export function versionIn(collection: CollectionName, view: ViewDefinition): number | undefined {
  return partsOf(collection, view)?.version;
}

export function epochIn(collection: CollectionName, view: ViewDefinition): number | undefined {
  return partsOf(collection, view)?.epoch;
}

function partsOf(
  collection: CollectionName,
  view: ViewDefinition,
): { version: number | undefined; epoch: number } | undefined {
  const prefix = prefixOf(view);
  if (!collection.startsWith(prefix)) return undefined;
  const rest = /^(\d+)_(\d+)_[0-9a-f]{24}(_d)?(_t)?(_o)?$/.exec(collection.slice(prefix.length));
  return rest ? { version: rest[3] ? Number(rest[1]) : undefined, epoch: Number(rest[2]) } : undefined;
}

function prefixOf({ name }: ViewDefinition): string {
  return `${name.replaceAll('-', '_')}_v`;
}
