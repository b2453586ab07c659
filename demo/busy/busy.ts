export { Receiver } from './receiver.js';
export { keepCalling, keepPrinting } from './today.js';
export { writeYesterday } from './yesterday.js';
