import { Gauge, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import { JOB_STATUSES } from '../../contexts/jobs/index.js';
import { ComputerQueries } from '../../../projections/computers/computers.queries.js';
import { PrinterQueries } from '../../../projections/printers/printers.queries.js';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import { DeliveryQueries } from '../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { elapsed, type Instant } from '../../kernel/time.js';
import { StoreCollectors, type Sample } from './store-collectors.js';
import type { Stores, ViewMaintenance, ViewStore } from '../../event-sourcing/index.js';
import type { EvidenceLog } from '../../evidence/evidence-log.js';
import { HALT_REASONS } from '../../evidence/progress.js';

export interface GaugeSources {
  readonly logger: Logger;
  readonly waitingPolls: () => number;
  readonly isRolledBack: () => Promise<boolean>;
  readonly evidence: ObservedLog;
  readonly now: () => Instant;
}

export function readModelGauges(
  registry: Registry,
  { events, views, maintenance }: Pick<Stores, 'events' | 'views' | 'maintenance'>,
  { logger, waitingPolls, isRolledBack, evidence, now }: GaugeSources,
): void {
  const collectors = new StoreCollectors(registry, (collector, error) =>
    logger.warn({ err: error, collector }, 'gauges cannot be read and are left out of /metrics'),
  );
  projections(collectors, maintenance);
  jobs(collectors, new JobQueries(views, events), now);
  devices(collectors, views);
  deliveries(collectors, views);
  credentials(collectors, views, now);
  rollback(collectors, isRolledBack);
  evidenceGauges(collectors, evidence, now);
  new Gauge({
    name: 'rps_agent_polls_waiting',
    help: 'Agents waiting for work in a long poll.',
    registers: [registry],
    collect() {
      this.set(waitingPolls());
    },
  });
}

function projections(collectors: StoreCollectors, maintenance: ViewMaintenance): void {
  collectors.add({
    name: 'projections',
    gauges: {
      rps_projection_position: { help: 'Position of the last event seen.', labels: ['view'] },
      rps_projection_lag_events: { help: 'Events a view is behind.', labels: ['view'] },
    },
    async read() {
      const all = await maintenance.list();
      return {
        rps_projection_position: all.map(({ name, position }) =>
          sample({ view: name }, Number(position ?? 0)),
        ),
        rps_projection_lag_events: all.map(({ name, lag }) => sample({ view: name }, lag)),
      };
    },
  });
}

function jobs(collectors: StoreCollectors, queries: JobQueries, now: () => Instant): void {
  collectors.add({
    name: 'jobs',
    gauges: {
      rps_jobs: { help: 'Jobs by status.', labels: ['status'] },
      rps_job_queue_depth: { help: 'Jobs waiting for an agent.', labels: [] },
      rps_oldest_queued_job_age_seconds: { help: 'Age of the oldest job waiting for an agent.', labels: [] },
    },
    async read() {
      const count = async (status: (typeof JOB_STATUSES)[number]) =>
        sample({ status }, await queries.countInStatus(status));
      const [counted, oldest] = await Promise.all([
        Promise.all(JOB_STATUSES.map(count)),
        queries.oldestInStatus('queued'),
      ]);
      const queued = counted.filter(({ labels }) => labels['status'] === 'queued');
      const age = oldest ? elapsed(oldest.created_at, now()) / 1000 : 0;
      return {
        rps_jobs: counted,
        rps_job_queue_depth: queued.map(({ value }) => sample({}, value)),
        rps_oldest_queued_job_age_seconds: [sample({}, age)],
      };
    },
  });
}

function devices(collectors: StoreCollectors, views: ViewStore): void {
  const [computers, printers] = [new ComputerQueries(views), new PrinterQueries(views)];
  const byStatus = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([status, n]) => sample({ status }, n));
  collectors.add({
    name: 'devices',
    gauges: {
      rps_computers: { help: 'Computers by status.', labels: ['status'] },
      rps_printers: { help: 'Printers by status.', labels: ['status'] },
    },
    async read() {
      const [ofComputers, ofPrinters] = await Promise.all([
        computers.countByStatus(),
        printers.countByStatus(),
      ]);
      return { rps_computers: byStatus(ofComputers), rps_printers: byStatus(ofPrinters) };
    },
  });
}

function deliveries(collectors: StoreCollectors, views: ViewStore): void {
  const queries = new DeliveryQueries(views);
  collectors.add({
    name: 'webhook_deliveries',
    gauges: {
      rps_webhook_deliveries_pending: {
        help: 'Unfinished deliveries: ready to send, waiting for a retry, in flight.',
        labels: ['queue'],
      },
    },
    async read() {
      const queues = ['ready', 'waiting', 'in_flight'] as const;
      const counted = queues.map(async (queue) => sample({ queue }, await queries.countIn(queue)));
      return { rps_webhook_deliveries_pending: await Promise.all(counted) };
    },
  });
}

/** Limit for counting ending credentials. */
const COUNTED = 1_000;

function credentials(collectors: StoreCollectors, views: ViewStore, now: () => Instant): void {
  const queries = new ComputerQueries(views);
  collectors.add({
    name: 'device_credentials',
    gauges: {
      rps_device_credentials_ending: {
        help: 'Device credentials that end within 14 days, up to 1,000.',
        labels: [],
      },
    },
    async read() {
      const ending = await queries.countEndingCredentials(now(), COUNTED);
      return { rps_device_credentials_ending: [sample({}, ending)] };
    },
  });
}

function rollback(collectors: StoreCollectors, isRolledBack: () => Promise<boolean>): void {
  collectors.add({
    name: 'store_rollback',
    gauges: {
      rps_store_rolled_back: {
        help: '1 for 24 hours after an agent reported an event that the store has lost, else 0.',
        labels: [],
      },
    },
    read: async () => ({ rps_store_rolled_back: [sample({}, Number(await isRolledBack()))] }),
  });
}

const sample = (labels: Sample['labels'], value: number): Sample => ({ labels, value });

type ObservedLog = Pick<EvidenceLog, 'progress' | 'auditFindings'>;

function evidenceGauges(collectors: StoreCollectors, log: ObservedLog, now: () => Instant): void {
  collectors.add({
    name: 'evidence',
    gauges: {
      rps_evidence_halted: {
        help: '1 while the evidence log is halted for this reason, else 0.',
        labels: ['reason'],
      },
      rps_evidence_events_behind: {
        help: 'Logged events that no checkpoint covers yet; missing while halted.',
        labels: [],
      },
      rps_evidence_checkpoint_age_seconds: { help: 'Age of the newest checkpoint.', labels: [] },
      rps_evidence_audit_findings: { help: 'Findings of the last audit on this instance.', labels: [] },
    },
    async read() {
      const { size, log: state, halt } = await log.progress();
      const checkpoint = state?.checkpoint;
      const found = log.auditFindings;
      return {
        rps_evidence_halted: HALT_REASONS.map((reason) =>
          sample({ reason }, Number(halt?.reason === reason)),
        ),
        rps_evidence_events_behind: halt ? [] : [sample({}, size - (checkpoint?.size ?? 0))],
        rps_evidence_checkpoint_age_seconds: checkpoint
          ? [sample({}, elapsed(checkpoint.at, now()) / 1000)]
          : [],
        rps_evidence_audit_findings: found === undefined ? [] : [sample({}, found)],
      };
    },
  });
}
