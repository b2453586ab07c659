import { elapsed, type Instant } from '../../../kernel/time.js';
import type { Circumstances } from './explanation.blockers.js';
import { ACTIONS, CAUSES, type Action, type Cause, type Verdict } from './explanation.words.js';
import { canRetry, LATE } from './job.rules.js';
import type { Job } from './job.state.js';

export interface NextStep {
  readonly action: Action;
  readonly operation?: string;
  readonly text: string;
}

type Story = Pick<Circumstances, 'now' | 'accountStatus' | 'isPlanUsedUp'> & { readonly job: Job };

/** What helps when a cause has lasted for more than five minutes. */
const STEPS_WHEN_LATE: Partial<Record<Cause, readonly Action[]>> = {
  next_in_turn: ['wait', 'check_printer', 'move_queue'],
  with_agent: ['check_printer', 'wait'],
  handed_off: ['check_printer', 'wait'],
  in_spooler: ['check_printer', 'wait'],
};

/** What a person can do now. @param since when the cause began */
export function stepsOf(
  story: Story,
  { verdict, cause, since }: { readonly verdict: Verdict; readonly cause: Cause; readonly since: Instant },
): readonly NextStep[] {
  const late = elapsed(since, story.now) > LATE ? STEPS_WHEN_LATE[cause] : undefined;
  const wanted: readonly Action[] = [
    ...(late ?? CAUSES[cause]),
    ...(verdict === 'retrying' ? (['wait'] as const) : []),
  ];
  const actions = new Set(wanted.flatMap((action) => possible(story, action)));
  const isAfterLook = actions.has('look_for_paper');
  return [...actions].map((action) => {
    const step = { action, ...ACTIONS[action] };
    return isAfterLook && PRINTS_AGAIN.has(action) ? { ...step, text: ifUnprinted(step.text) } : step;
  });
}

const ifUnprinted = (text: string) =>
  `If it was not printed, ${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** What helps in its place if the service would refuse it. */
function possible(story: Story, action: Action): readonly Action[] {
  const { job, now } = story;
  const ended = job.status === 'failed' || job.status === 'manual_review';
  if (action === 'move_queue') return job.status === 'queued' ? [action] : [];
  if (action === 'retry' && !canRetry(job, now)) return ended ? possible(story, 'reprint') : [];
  if (action === 'reprint' && !job.contentAvailable) return possible(story, 'send_again');
  return CREATES.has(action) || action === 'retry' ? printing(story, action) : [action];
}

/** With what the account needs before it. */
function printing({ accountStatus, isPlanUsedUp }: Story, action: Action): readonly Action[] {
  if (accountStatus === 'suspended') return ['resume_account', action];
  if (accountStatus !== 'active') return [];
  return isPlanUsedUp && action !== 'retry' ? ['raise_plan', action] : [action];
}

const CREATES: ReadonlySet<Action> = new Set(['reprint', 'send_again', 'change_document', 'change_options']);
const PRINTS_AGAIN: ReadonlySet<Action> = new Set(['retry', 'reprint', 'send_again']);
