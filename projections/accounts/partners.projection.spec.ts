import { PARTNER_ID, partnerCreated } from '../../test/kit/examples/accounts.js';
import { project } from '../../test/kit/projection.js';
import { NOON, recorded } from '../../test/kit/recorded.js';
import { partnersProjection } from './accounts.projection.js';

describe('showing a partner', () => {
  it('names it by its slug', () => {
    const documents = project(partnersProjection, recorded(`partner-${PARTNER_ID}`, partnerCreated));
    expect(documents.get(PARTNER_ID)).toEqual({
      partner_id: PARTNER_ID,
      name: 'Till Systems',
      partner: 'till-systems',
      created_at: NOON,
    });
  });
});
