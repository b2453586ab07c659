import { storyOf } from '../../../../test/kit/decider.js';
import { createPartner, partnerCreated } from '../../../../test/kit/examples/accounts.js';
import { partnerDecider } from './partner.decider.js';

const { given } = storyOf(partnerDecider);

describe('creating a partner', () => {
  it('stores its name and slug', () => {
    given().when(createPartner).then(partnerCreated);
  });

  it('writes nothing when repeated', () => {
    given(partnerCreated).when(createPartner).thenNothing();
  });
});
