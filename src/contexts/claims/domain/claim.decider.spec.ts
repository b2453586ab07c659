import { storyOf } from '../../../../test/kit/decider.js';
import { metadata, NOON } from '../../../../test/kit/recorded.js';
import { plus } from '../../../kernel/time.js';
import { Claim } from './claim.commands.js';
import { claimDecider } from './claim.decider.js';
import type { ClaimEvent } from './claim.events.js';

const { given } = storyOf(claimDecider);
const until = plus(NOON, 1000);
const claimed: ClaimEvent = {
  type: 'Claimed',
  data: { kind: 'job-create', subject: 'job-1', fingerprint: 'f1', expiresAt: until },
};
const forever: ClaimEvent = {
  type: 'Claimed',
  data: { kind: 'slug', subject: 'a', fingerprint: undefined, expiresAt: undefined },
};
const claim = (subject: string, at: string) => new Claim('job-create', subject, 'f1', until, at, metadata);

describe('claiming a unique thing', () => {
  it('gives it to the first', () => {
    given().when(claim('job-1', NOON)).then(claimed);
  });

  it('is refused to the second, who learns the holder', () => {
    given(claimed)
      .when(claim('job-2', NOON))
      .thenRejected('ClaimTaken', { subject: 'job-1', fingerprint: 'f1' });
  });

  it('is refused to the holder too: a repeat is no new claim', () => {
    given(claimed).when(claim('job-1', NOON)).thenRejected('ClaimTaken', { subject: 'job-1' });
  });

  it('is free again from the moment it runs out', () => {
    given(claimed)
      .when(claim('job-2', plus(until, -1)))
      .thenRejected('ClaimTaken');
    given(claimed)
      .when(claim('job-2', until))
      .then({ ...claimed, data: { ...claimed.data, subject: 'job-2' } });
  });

  it('never runs out without a time', () => {
    given(forever).when(claim('b', '9999-12-31T23:59:59.999Z')).thenRejected('ClaimTaken', { subject: 'a' });
  });
});
