import { storyOf } from '../../../../test/kit/decider.js';
import { metadata, NOON } from '../../../../test/kit/recorded.js';
import { plus } from '../../../kernel/time.js';
import { Claim, claimDecider, type ClaimEvent } from './claim.decider.js';

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
const claim = (subject: string, at: string) =>
  new Claim({ claimKind: 'job-create', subject, fingerprint: 'f1', expiresAt: until, at, by: metadata });

describe('claiming a unique value', () => {
  it('grants it to the first claimant', () => {
    given().when(claim('job-1', NOON)).then(claimed);
  });

  it('refuses the second claimant and names the holder', () => {
    given(claimed)
      .when(claim('job-2', NOON))
      .thenRejected('ClaimTaken', { subject: 'job-1', fingerprint: 'f1' });
  });

  it('refuses the holder too, because a repeat is no new claim', () => {
    given(claimed).when(claim('job-1', NOON)).thenRejected('ClaimTaken', { subject: 'job-1' });
  });

  it('succeeds again from the moment of expiry', () => {
    given(claimed)
      .when(claim('job-2', plus(until, -1)))
      .thenRejected('ClaimTaken');
    given(claimed)
      .when(claim('job-2', until))
      .then({ ...claimed, data: { ...claimed.data, subject: 'job-2' } });
  });

  it('never expires if no expiry is given', () => {
    given(forever).when(claim('b', '9999-12-31T23:59:59.999Z')).thenRejected('ClaimTaken', { subject: 'a' });
  });
});
