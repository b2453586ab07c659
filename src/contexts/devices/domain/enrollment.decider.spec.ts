import { storyOf } from '../../../../test/kit/decider.js';
import {
  claimEnrollment as claim,
  completeEnrollment as complete,
  createEnrollment as create,
  enrollmentClaimed as claimed,
  enrollmentCompleted as completed,
  enrollmentCreated as created,
  INSTALLATION_ID,
  OTHER_ID,
} from '../../../../test/kit/examples/devices.js';
import { plus } from '../../../kernel/time.js';
import { enrollmentDecider } from './enrollment.decider.js';

const { given } = storyOf(enrollmentDecider);
const { expiresAt } = created.data;
const late = (at: string) => claim(INSTALLATION_ID, undefined, at);

describe('creating an enrolment token', () => {
  it('stores its hash and expiry', () => {
    given().when(create).then(created);
  });

  it('writes nothing when repeated', () => {
    given(created).when(create).thenNothing();
  });
});

describe('claiming an enrolment', () => {
  it('binds the token to one installation and its computer', () => {
    given(created).when(claim()).then(claimed);
  });

  it('returns the same computer when the installation repeats it', () => {
    given(created, claimed).when(claim(INSTALLATION_ID, OTHER_ID)).thenNothing();
    expect(given(created, claimed).state()).toMatchObject(claimed.data);
  });

  it('is refused to another installation', () => {
    given(created, claimed).when(claim(OTHER_ID)).thenRejected('EnrollmentTokenInvalid');
  });

  it('is refused for everyone once completed', () => {
    given(created, claimed, completed).when(claim()).thenRejected('EnrollmentTokenInvalid');
    given(created, claimed, completed).when(claim(OTHER_ID)).thenRejected('EnrollmentTokenInvalid');
  });

  it('succeeds until the last millisecond', () => {
    given(created)
      .when(late(plus(expiresAt, -1)))
      .then(claimed);
    given(created).when(late(expiresAt)).thenRejected('EnrollmentTokenInvalid');
    given(created, claimed).when(late(expiresAt)).thenRejected('EnrollmentTokenInvalid');
  });

  it('is refused for a token that does not exist', () => {
    given().when(claim()).thenRejected('EnrollmentTokenInvalid');
  });
});

describe('completing an enrolment', () => {
  it('marks the token as used', () => {
    given(created, claimed).when(complete).then(completed);
  });

  it('writes nothing when repeated', () => {
    given(created, claimed, completed).when(complete).thenNothing();
  });

  it('requires a claim', () => {
    given(created).when(complete).thenRejected('EnrollmentTokenInvalid');
    given().when(complete).thenRejected('EnrollmentTokenInvalid');
  });
});
