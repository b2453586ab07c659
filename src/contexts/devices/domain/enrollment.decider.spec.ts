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
  it('keeps its hash and its end', () => {
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

  it('goes on where the same installation left off, with the computer of the first time', () => {
    given(created, claimed).when(claim(INSTALLATION_ID, OTHER_ID)).thenNothing();
    expect(given(created, claimed).state()).toMatchObject(claimed.data);
  });

  it('is refused to another installation', () => {
    given(created, claimed).when(claim(OTHER_ID)).thenRejected('EnrollmentTokenInvalid');
  });

  it('is refused to everyone once it is completed', () => {
    given(created, claimed, completed).when(claim()).thenRejected('EnrollmentTokenInvalid');
    given(created, claimed, completed).when(claim(OTHER_ID)).thenRejected('EnrollmentTokenInvalid');
  });

  it('is possible up to the last millisecond', () => {
    given(created)
      .when(late(plus(expiresAt, -1)))
      .then(claimed);
    given(created).when(late(expiresAt)).thenRejected('EnrollmentTokenInvalid');
    given(created, claimed).when(late(expiresAt)).thenRejected('EnrollmentTokenInvalid');
  });

  it('is refused for a token that was never made', () => {
    given().when(claim()).thenRejected('EnrollmentTokenInvalid');
  });
});

describe('completing an enrolment', () => {
  it('uses the token up', () => {
    given(created, claimed).when(complete).then(completed);
  });

  it('writes nothing the second time', () => {
    given(created, claimed, completed).when(complete).thenNothing();
  });

  it('wants a claim', () => {
    given(created).when(complete).thenRejected('EnrollmentTokenInvalid');
    given().when(complete).thenRejected('EnrollmentTokenInvalid');
  });
});
