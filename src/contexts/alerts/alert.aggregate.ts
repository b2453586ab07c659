import { alertDecider } from './domain/alert.decider.js';
import { aggregate } from '../../event-sourcing/index.js';

/** One stream a member, with the member's id. */
export const alertsOfMember = aggregate({ category: 'alerts', decider: alertDecider });
