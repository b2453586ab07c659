import { batches } from './measures/batches.js';
import { changes } from './measures/changes.js';
import { createsAmongMany, createsMeasure } from './measures/creates.js';
import { evidence } from './measures/evidence.js';
import { largeDocuments } from './measures/large-documents.js';
import { charts, lives, rebuild } from './measures/library.js';
import { longPoll } from './measures/long-poll.js';
import { memory } from './measures/memory.js';
import { find } from './measures/find.js';
import { jobDetail, jobList } from './measures/reads.js';
import { panel } from './measures/panel.js';
import { partnerCreate, partnerReads } from './measures/partner.js';
import { peers } from './measures/peers.js';
import { restart } from './measures/restart.js';
import { slowDiskMeasure } from './measures/slow-disk.js';
import { webhookHole, webhookLag } from './measures/webhook-lag.js';
import { webhookRate, webhookRestart } from './measures/webhooks.js';
import type { Measure } from './measure.js';

/** In the order of the report; measures of the large store are adjacent. */
export const measures: readonly Measure[] = [
  createsMeasure,
  batches,
  partnerCreate,
  slowDiskMeasure,
  lives,
  charts,
  rebuild,
  longPoll,
  changes,
  webhookRate,
  webhookLag,
  webhookHole,
  webhookRestart,
  largeDocuments,
  jobDetail,
  jobList,
  find,
  partnerReads,
  createsAmongMany,
  restart,
  memory,
  panel,
  evidence,
  peers,
];
