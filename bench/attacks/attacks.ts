import { largeCreates } from './a1-large-creates.js';
import { slowUploads, unauthenticatedBodies } from './a1-slow-bodies.js';
import { downloads } from './a2-downloads.js';
import { feeds } from './a3-feeds.js';
import { badKeys } from './a4-bad-keys.js';
import { signIns } from './a5-sign-ins.js';
import { renamedPrinters } from './a6-renamed-printers.js';
import { printerUpdates } from './a7-printer-updates.js';
import type { Attack } from './attack.js';

export const attacks: readonly Attack[] = [
  unauthenticatedBodies,
  slowUploads,
  largeCreates,
  downloads,
  feeds,
  badKeys,
  signIns,
  renamedPrinters,
  printerUpdates,
];
