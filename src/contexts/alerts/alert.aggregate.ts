import type { Aggregate } from '../../event-sourcing/index.js';
import type { AlertCommand, AlertRejection } from './domain/alert.commands.js';
import { alertDecider } from './domain/alert.decider.js';
import type { AlertEvent } from './domain/alert.events.js';
import type { Alerts } from './domain/alert.state.js';

/** One stream a member, with the member's id. */
export const alertsOfMember: Aggregate<Alerts, AlertCommand, AlertEvent, AlertRejection> = {
  category: 'alerts',
  decider: alertDecider,
};
