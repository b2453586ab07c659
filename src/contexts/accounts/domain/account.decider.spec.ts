import { storyOf } from '../../../../test/kit/decider.js';
import * as acme from '../../../../test/kit/examples/accounts.js';
import { accountDecider } from './account.decider.js';

const { given } = storyOf(accountDecider);
const { opened, suspended, resumed, closed } = acme;

describe('opening an account', () => {
  it('stores name, slug and plan', () => {
    given().when(acme.open).then(opened);
  });

  it('writes nothing when repeated', () => {
    given(opened).when(acme.open).thenNothing();
    given(opened, closed).when(acme.open).thenNothing();
  });
});

describe('renaming an account', () => {
  it('changes the name', () => {
    given(opened).when(acme.rename()).then(acme.renamed());
  });

  it('writes nothing when the name is unchanged', () => {
    given(opened, acme.renamed()).when(acme.rename()).thenNothing();
  });
});

describe('suspending and resuming an account', () => {
  it('changes the status, and back again', () => {
    given(opened).when(acme.suspend).then(suspended);
    given(opened, suspended).when(acme.resume).then(resumed);
  });

  it('writes nothing when the status is unchanged', () => {
    given(opened, suspended).when(acme.suspend).thenNothing();
    given(opened).when(acme.resume).thenNothing();
  });
});

describe('closing an account', () => {
  it('closes an active and a suspended account', () => {
    given(opened).when(acme.close).then(closed);
    given(opened, suspended).when(acme.close).then(closed);
  });

  it('writes nothing the second time', () => {
    given(opened, closed).when(acme.close).thenNothing();
  });

  it('allows no further change', () => {
    for (const command of [acme.rename(), acme.suspend, acme.resume, acme.switchEnvironment(false)]) {
      given(opened, closed).when(command).thenRejected('AccountClosed');
    }
    given(opened, closed)
      .when(acme.changePlan({ jobsPerMonth: 1 }))
      .thenRejected('AccountClosed');
  });
});

describe('switching the environment', () => {
  it('switches in both directions, starting from on', () => {
    given(opened).when(acme.switchEnvironment(true)).thenNothing();
    given(opened).when(acme.switchEnvironment(false)).then(acme.switched(false));
    given(opened, acme.switched(false)).when(acme.switchEnvironment(true)).then(acme.switched(true));
  });
});

describe('changing a plan', () => {
  it('keeps the fields that are not named', () => {
    given(opened)
      .when(acme.changePlan({ maxContentBytes: 1024 }))
      .then(acme.planChanged({ maxContentBytes: 1024 }));
  });

  it('removes a limit given as null', () => {
    given(opened)
      .when(acme.changePlan({ jobsPerMonth: null }))
      .then(acme.planChanged({ jobsPerMonth: null }));
  });

  it('writes nothing when nothing changes', () => {
    given(opened).when(acme.changePlan({})).thenNothing();
    given(opened).when(acme.changePlan(acme.plan)).thenNothing();
  });
});

describe('commanding an account that does not exist', () => {
  it('is refused', () => {
    for (const command of [acme.rename(), acme.suspend, acme.resume, acme.close, acme.changePlan({})]) {
      given().when(command).thenRejected('AccountNotFound');
    }
  });
});
