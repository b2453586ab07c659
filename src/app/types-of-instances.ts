import { handledBy, type AnyProjection } from '../kernel/projection.js';
import { FollowedTypes } from '../event-sourcing/index.js';

/** No view handles these events, but listeners and cached aggregates of every instance do. */
const FOLLOWED_BY_ALL = [
  'AlertAttemptFailed',
  'AlertAttemptStarted',
  'AlertCleared',
  'AlertDelivered',
  'AlertMessageStarted',
  'AlertRaised',
  'CheckpointPublished',
  'EnrollmentClaimed',
  'EnrollmentCompleted',
  'EvidenceLogStarted',
  'InventoryDeferred',
  'LostEventReported',
  'OperatorTokenIssued',
  'ReplacedSessionCalled',
  'SessionNamingNoted',
  'StoreRestored',
  'StoreRollbackDetected',
];

/** Without claims: only their writer needs them, and they are a third of the events of a create. */
export function followedTypesOf(projections: readonly AnyProjection[]): FollowedTypes {
  return new FollowedTypes(handledBy(projections), FOLLOWED_BY_ALL);
}
