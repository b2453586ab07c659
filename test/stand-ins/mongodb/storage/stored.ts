import type { Ordered } from '../bson/order.js';
import type { Raw } from '../bson/raw.js';

/** A document of a collection: what the map and all indexes point to. */
export interface Stored {
  readonly id: Ordered;
  /** Replaced by a write, never changed in place: a cursor may hold it. */
  raw: Raw;
  /** mongod's record id: the order of insertion, kept through updates. */
  readonly record: number;
}
