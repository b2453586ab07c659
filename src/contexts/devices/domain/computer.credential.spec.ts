import { storyOf } from '../../../../test/kit/decider.js';
import * as pc from '../../../../test/kit/examples/devices.js';
import { computerDecider } from './computer.decider.js';

const { given } = storyOf(computerDecider);
const OTHER_HASH = 'a'.repeat(64);

describe('renewing the device credential', () => {
  it('adds one in the last 30 days', () => {
    given(pc.registered).when(pc.renew(30)).then(pc.renewed());
    given(pc.registered).when(pc.renew(31)).thenRejected('CredentialNotDue');
  });

  it('replaces one that is unused', () => {
    given(pc.registered, pc.renewed()).when(pc.renew(29, OTHER_HASH)).then(pc.renewed(OTHER_HASH));
    given(pc.registered, pc.renewed(), pc.renewed(OTHER_HASH)).when(pc.callWith(pc.NEW_HASH)).thenNothing();
  });

  it('writes a credential once', () => {
    given(pc.registered, pc.renewed()).when(pc.renew()).thenNothing();
    given(pc.registered, pc.renewed(), pc.replaced()).when(pc.renew()).thenNothing();
  });

  it('is refused for a revoked computer', () => {
    given(pc.registered, pc.revoked).when(pc.renew()).thenRejected('ComputerRevoked');
  });
});

describe('calling with a renewed credential', () => {
  it('ends the older one, once', () => {
    given(pc.registered, pc.renewed()).when(pc.callWith(pc.NEW_HASH)).then(pc.replaced());
    given(pc.registered, pc.renewed(), pc.replaced()).when(pc.callWith(pc.NEW_HASH)).thenNothing();
  });

  it('changes nothing while the older one is used', () => {
    given(pc.registered, pc.renewed()).when(pc.see).thenNothing();
  });

  it('changes nothing after a new enrolment', () => {
    given(pc.registered, pc.renewed(), pc.reenrolled(pc.credential(OTHER_HASH)))
      .when(pc.callWith(pc.NEW_HASH))
      .thenNothing();
  });
});
