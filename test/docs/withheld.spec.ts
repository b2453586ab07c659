import { WITHHELD } from '../../src/evidence/withheld.js';
import { sealedEvents } from './stored-events.js';

describe('withholding bodies from proof files', () => {
  it('covers exactly the events that hold a sealed secret or the hash of a credential', () => {
    expect(sealedEvents().toSorted()).toEqual([...WITHHELD].toSorted());
  });
});
