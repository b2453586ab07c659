import { handledBy, type AnyProjection } from '../kernel/projection.js';
import { FollowedTypes } from '../event-sourcing/index.js';

/** No view handles these events, but listeners and cached aggregates of every instance do. */
const HEARD_BY_ALL = [
  'InventoryDeferred',
  'LostEventReported',
  'OperatorTokenIssued',
  'ReplacedSessionCalled',
  'SessionNamingNoted',
  'StoreRestored',
  'StoreRollbackDetected',
];

/** All stored events but claims: those are a third of the events of a create, and only their writer needs them. */
export function followedTypesOf(projections: readonly AnyProjection[]): FollowedTypes {
  return new FollowedTypes(handledBy(projections), HEARD_BY_ALL);
}
