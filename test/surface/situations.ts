import { randomUUID } from 'node:crypto';
import { flipBit } from '../kit/damage.js';
import { joined } from '../kit/panel.js';
import { onePrinter, TestAgent } from '../kit/world.js';
import { DAY, HOUR, MINUTE, SECOND } from './asking.js';
import {
  after,
  and,
  at,
  behind,
  cancelled,
  queued,
  reported,
  trouble,
  type Row,
  type Situation,
} from './stages.js';

const printer = (settings: object) =>
  and((scene, service) => service.operate('POST', `/printers/${scene.printerId}`, settings));
const computer = (verb: string) =>
  and((scene, service) => service.operate('POST', `/computers/${scene.agent.computerId}/${verb}`));
const account = (...verbs: readonly string[]) =>
  and(async ({ accountId }, service) => {
    for (const verb of verbs) await service.operate('POST', `/accounts/${accountId}/${verb}`);
  });
const inventory = (more: object) => and(({ agent }) => agent.inventory([{ ...onePrinter, ...more }]));
const rejected = (failure_code: string, failure_class: string) =>
  reported('accepted', 'rejected', { failure_code, failure_class });

const MOVE = 'move_queue';

const WAITS: readonly Row[] = [
  ['waits for its Agent', queued, ['next_in_turn', 'wait']],
  ['is behind one job', behind(1), ['jobs_before_it', 'wait', MOVE]],
  ['is behind 500 jobs', behind(500), ['jobs_before_it', 'wait', MOVE]],
  ['is of a suspended account', account('suspend'), ['account_not_active', 'resume_account']],
  ['is of an account that was resumed', account('suspend', 'resume'), ['next_in_turn', 'wait']],
  ['waits while the Agent is gone', after(90 * SECOND, queued), ['computer_offline', 'start_computer', MOVE]],
  [
    'waits for an Agent that was installed anew and never connected',
    and(({ accountId, agent }, service) => TestAgent.enrol(service, accountId, agent.installationId)),
    ['agent_not_started', 'start_computer', MOVE],
  ],
  ['waits for a disabled computer', computer('disable'), ['computer_disabled', 'enable_computer', MOVE]],
  ['waits for a revoked computer', computer('revoke'), ['computer_revoked', 'connect_computer', MOVE]],
  ['waits for a disabled printer', printer({ enabled: false }), ['printer_disabled', 'enable_printer', MOVE]],
  ['waits for a paused printer', printer({ paused: true }), ['printer_paused', 'resume_printer', MOVE]],
  [
    'waits for a printer that was resumed',
    and(
      ({ printerId }, service) => service.operate('POST', `/printers/${printerId}`, { paused: false }),
      printer({ paused: true }),
    ),
    ['next_in_turn', 'wait'],
  ],
  [
    'waits for a printer that is gone',
    inventory({ printer_key: 'x' }),
    ['printer_removed', 'check_printer', MOVE],
  ],
  [
    'waits for a printer that is offline',
    inventory({ online: false }),
    ['printer_offline', 'check_printer', MOVE],
  ],
  [
    'waits for a stuck printer',
    and(trouble('no progress for 60 s')),
    ['printer_stuck', 'check_printer', MOVE],
  ],
  [
    'waits for a printer without paper',
    and(trouble('out of paper'), inventory({ online: false })),
    ['out_of_paper', 'load_paper', MOVE],
  ],
  [
    'has options, and the Agent became an older one',
    async (scene) => {
      const { agent } = scene;
      const capabilities = { ...onePrinter.capabilities, options: ['paper'] };
      agent.features = ['options/1'];
      await agent.start();
      await agent.inventory([{ ...onePrinter, capabilities }]);
      const content = { type: 'pdf', encoding: 'base64', data: btoa('%PDF-1.7') };
      const jobId = await scene.create({ content, options: { paper: 'A4' } });
      agent.features = [];
      await agent.start();
      return jobId;
    },
    ['agent_too_old', 'update_agent', MOVE],
  ],
  [
    'was given back five times',
    and(async (scene) => {
      for (let n = 0; n < 5; n++) await scene.agent.release(await scene.lease());
    }),
    ['given_back_by_agent', 'check_printer', 'wait', MOVE],
  ],
  [
    'was moved to a free printer',
    and(async (scene, service) => {
      const { printerId } = await TestAgent.ready(service, scene.accountId);
      const { browser } = await joined(service, scene.accountId, 'bea', 'owner');
      await browser.post(`/panel/printers/${scene.printerId}/move`, { to_printer_id: printerId });
    }),
    ['next_in_turn', 'wait'],
  ],
  [
    'was queued again after a review',
    async (scene) => {
      const { job_id } = await scene.parked();
      await scene.retry(job_id);
      return job_id;
    },
    ['next_in_turn', 'wait'],
  ],
];

const AT_THE_COMPUTER: readonly Row[] = [
  ['is leased', at('leased'), ['with_agent', 'wait']],
  ['is accepted', at('accepted'), ['with_agent', 'wait']],
  [
    'is accepted, and the Agent is gone',
    after(90 * SECOND, at('accepted')),
    ['computer_offline', 'start_computer'],
  ],
  ['is handed off', at('handed_off'), ['handed_off', 'wait']],
  ['is in the spooler', at('spooled'), ['in_spooler', 'wait']],
  [
    'is in the spooler of a printer without paper',
    and(trouble('media-empty'), at('spooled')),
    ['out_of_paper', 'load_paper'],
  ],
  [
    'is in the spooler, and the Agent is gone',
    after(90 * SECOND, at('spooled')),
    ['computer_offline', 'start_computer'],
  ],
  ['is done', at('completed'), ['spooler_finished', 'look_for_paper', 'reprint']],
];

const FAILED: readonly Row[] = [
  [
    'found no paper, and is tried again',
    rejected('NO_PAPER', 'temporary'),
    ['out_of_paper', 'load_paper', 'retry', 'wait'],
  ],
  [
    'is not taken by the spooler',
    rejected('SPOOLER_REFUSED', 'permanent'),
    ['not_taken_by_spooler', 'check_printer', 'reprint'],
  ],
  [
    'has an option that the printer refuses',
    rejected('OPTION_NOT_SUPPORTED', 'permanent'),
    ['option_refused', 'change_options'],
  ],
  ['cannot be drawn', rejected('RENDER_FAILED', 'permanent'), ['document_not_printable', 'change_document']],
  [
    'has lost its document',
    async (scene, service) => {
      const { job_id } = await scene.at('leased');
      await service.stores.contents.delete(job_id);
      await scene.agent.call('GET', `/jobs/${job_id}/content`);
      return job_id;
    },
    ['document_lost', 'send_again'],
  ],
  [
    'has a damaged document',
    async (scene, service) => {
      const { job_id } = await scene.at('leased');
      const bytes = Uint8Array.from((await service.stores.contents.get(job_id))!);
      flipBit(bytes, 3);
      await service.stores.contents.put(job_id, bytes);
      await scene.agent.call('GET', `/jobs/${job_id}/content`);
      return job_id;
    },
    ['document_damaged', 'send_again'],
  ],
  [
    'lost its Agent before the hand-off',
    after(120 * SECOND, at('accepted')),
    ['agent_lost', 'start_computer', 'retry', 'wait'],
  ],
  [
    'was leased five times in vain',
    async (scene, service) => {
      const jobId = await scene.create();
      for (let n = 0; n < 5; n++) {
        await scene.agent.heartbeat();
        await scene.lease();
        await service.advance(MINUTE);
      }
      return jobId;
    },
    ['lease_lapsed', 'start_computer', 'retry', 'wait'],
  ],
  [
    'was taken from the queue of the computer',
    reported('spooled', 'spooler_cancelled'),
    ['cancelled_at_computer', 'reprint'],
  ],
];

const IN_REVIEW: readonly Row[] = [
  [
    'is gone from the spooler',
    reported('spooled', 'spooler_vanished'),
    ['spooler_vanished', 'look_for_paper', 'retry'],
  ],
  [
    'was given up by the spooler',
    reported('spooled', 'spooler_failed'),
    ['spooler_aborted', 'look_for_paper', 'retry'],
  ],
  [
    'has an unknown outcome',
    after(10 * MINUTE, at('handed_off')),
    ['handoff_unconfirmed', 'look_for_paper', 'retry'],
  ],
  ['is silent in the spooler', after(HOUR, at('spooled')), ['spooler_silent', 'look_for_paper', 'retry']],
  [
    'was printed without a permit',
    reported('accepted', 'spooled'),
    ['unexpected_evidence', 'look_for_paper', 'retry'],
  ],
  [
    'was taken by two computers with one credential',
    async (scene) => {
      const lease = await scene.at('handed_off');
      const { job_id, lease_id, fence } = lease;
      const clone = scene.agent.clone();
      await clone.start([{ job_id, lease_id, fence, phase: 'handing_off' }]);
      await scene.agent.heartbeat(lease_id);
      await clone.report(lease, 'not_submitted');
      return lease.job_id;
    },
    ['credential_shared', 'look_for_paper', 'retry', 'revoke_computer'],
  ],
];

const ENDED: readonly Row[] = [
  ['is cancelled', cancelled, ['cancelled', 'reprint']],
  [
    'is cancelled, and the plan is used up',
    cancelled,
    ['cancelled', 'raise_plan', 'reprint'],
    { jobs_per_month: 1 },
  ],
  ['is cancelled, and its document is deleted', after(2 * DAY, cancelled), ['cancelled', 'send_again']],
  [
    'is printed again as another job',
    async (scene, service) => {
      const jobId = await cancelled(scene, service);
      const call = { as: scene.key, json: {}, headers: { 'idempotency-key': randomUUID() } };
      await service.call('POST', `/svc-api-print-jobs/${jobId}/reprint`, call);
      return jobId;
    },
    ['cancelled', 'reprint'],
  ],
  ['has expired', after(DAY, queued), ['expired_waiting', 'reprint']],
  [
    'has expired without a decision',
    after(3 * DAY, async (scene) => (await scene.parked()).job_id),
    ['expired_undecided', 'look_for_paper', 'reprint'],
  ],
];

export const SITUATIONS = [...WAITS, ...AT_THE_COMPUTER, ...FAILED, ...IN_REVIEW, ...ENDED].map(
  ([what, stage, told, account]): Situation => ({ what, stage, told, ...(account && { account }) }),
);
