import { sentenceOf, TOLD } from '../../panel/account/audit-sentences.js';
import { AUDITED } from '../../projections/audit/audit.projection.js';

describe('the sentences of the audit in the panel', () => {
  it('tell of every audited event, and of no other', () => {
    expect([...TOLD].sort()).toEqual(Object.keys(AUDITED).sort());
  });

  it('name the reprinted job', () => {
    expect(sentenceOf('JobReprinted')).toEqual({ before: 'reprinted the job ', after: '' });
  });
});
