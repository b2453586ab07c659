import type { Collection } from './collection.js';
import { everything, find } from '../query/finding.js';

/**
 * What mongod's TTL monitor would delete: dates older than `expireAfterSeconds`, inside the partial filter if there is
 * one. https://www.mongodb.com/docs/manual/core/index-ttl/
 */
export function expire(collection: Collection, at: number): number {
  let deleted = 0;
  for (const { definition } of collection.indexes) {
    const seconds = definition.expireAfterSeconds;
    const path = definition.parts[0]!.name;
    if (seconds === undefined || definition.parts.length > 1) continue;
    const over = { $lte: new Date(at - seconds * 1000) };
    const filter = definition.partial ? { $and: [definition.partial, { [path]: over }] } : { [path]: over };
    for (const stored of find(collection, everything(filter))) {
      collection.remove(stored);
      deleted++;
    }
  }
  return deleted;
}
