import type { Specification } from './linearizable.js';

/** A call on a job and its answer. `no answer` changes the job, or does not. */
export type JobCall =
  | { readonly call: 'lease' | 'accept' | 'hand off'; readonly fence: number }
  | { readonly call: 'cancel'; readonly answer: 'done' | 'conflict' }
  | { readonly call: 'retry'; readonly answer: 'done' | 'conflict' | 'risk' };

const HELD = ['leased', 'accepted', 'handed off', 'spooled'];
/** Where it may go without a call of this history: timers, reports, grants of which the answer was lost. */
const BY_ITSELF: Readonly<Record<string, readonly string[]>> = {
  queued: ['expired', 'review', 'completed'],
  leased: ['queued', 'failed', 'expired', 'review', 'completed'],
  accepted: ['failed', 'expired', 'review', 'completed'],
  'handed off': ['spooled', 'completed', 'failed', 'review'],
  spooled: ['completed', 'failed', 'review'],
  failed: ['queued', 'expired', 'review', 'completed'],
  review: ['completed', 'failed', 'expired'],
};

/**
 * The moves of decisions.md 5.1, as far as calls decide them. A state is `<status> <fence>`. A rolled-back log parks
 * jobs without an attempt too.
 */
export function jobSpecification(maxFence: number, isRolledBack = false): Specification<JobCall> {
  const move = (status: string, fence: number) => [`${status} ${fence}`];
  return {
    initial: 'queued 0',

    apply(state, called) {
      const [status, fence] = parsed(state);
      switch (called.call) {
        case 'lease':
          return status === 'queued' && called.fence === fence + 1 ? move('leased', fence + 1) : [];
        case 'accept':
          if (called.fence !== fence) return [];
          if (status === 'leased') return move('accepted', fence);
          return status === 'accepted' || status === 'handed off' ? [state] : [];
        case 'hand off':
          if (called.fence !== fence) return [];
          return status === 'accepted' || status === 'handed off' ? move('handed off', fence) : [];
        case 'cancel': {
          const canCancel = status === 'queued' || status === 'leased';
          if (called.answer === 'conflict') return canCancel ? [] : [state];
          return canCancel ? move('cancelled', fence) : [];
        }
        case 'retry':
          return retried(status, fence, called.answer);
      }
    },

    /** No state comes back under the same fence, and a cancel is the end. */
    isOnce: ({ call }) => call !== 'retry',

    silent(state) {
      const [status, fence] = parsed(state);
      // Without an attempt there is no evidence of one.
      const isUntried = fence === 0 && !isRolledBack;
      const ways = isUntried ? ['expired'] : (BY_ITSELF[status] ?? []);
      const moves = ways.map((next) => `${next} ${fence}`);
      return status === 'queued' && fence < maxFence ? [...moves, `leased ${fence + 1}`] : moves;
    },
  };
}

function retried(status: string, fence: number, answer: 'done' | 'conflict' | 'risk'): readonly string[] {
  const isRisky = HELD.includes(status) || status === 'completed';
  if (answer === 'risk') return isRisky ? [`${status} ${fence}`] : [];
  if (answer === 'conflict') return isRisky ? [] : [`${status} ${fence}`];
  return status === 'failed' || status === 'review' ? [`queued ${fence}`] : [];
}

function parsed(state: string): [status: string, fence: number] {
  const at = state.lastIndexOf(' ');
  return [state.slice(0, at), Number(state.slice(at + 1))];
}
