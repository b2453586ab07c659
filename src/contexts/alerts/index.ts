export { AlertSignals } from './alert-signals.js';
export { AlertWatch, alertsOfMember } from './alert-watch.js';
export { WatchAlerts, type AlertRejection } from './domain/alert.commands.js';
export { isUnfinished, type Alerts, type Message, type Send } from './domain/alert.state.js';
export { AlertFacts, type AlertSending } from './ports.js';
export { AlertSender } from './alert-sender.js';
