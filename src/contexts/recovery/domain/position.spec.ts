import * as the from '../../../../test/kit/examples/jobs.js';
import { recordedAt } from '../../../../test/kit/recorded.js';
import { nameOf, positionOf } from './position.js';

const handedOff = recordedAt(the.seconds(5), the.JOB_STREAM, 4, the.handedOff());
const event = { ...handedOff, id: '019aa000-0000-7000-8000-0000000000e1' };
const name = nameOf(event);
const seal = 'AbCdEfGhIjKlMnOpQrSt-_';

describe('the position of an event', () => {
  it('identifies the event', () => {
    expect(positionOf(`${name}/${seal}`)).toEqual({
      event: { at: the.seconds(5), stream: the.JOB_STREAM, revision: 4, id: event.id },
      name,
      seal,
    });
  });

  it('sorts as text by time, then by revision', () => {
    const next = { ...event, revision: 10 };
    const later = { ...event, metadata: { ...event.metadata, at: the.seconds(6) }, revision: 0 };
    const inOrder = [event, next, later].map(nameOf);
    expect(inOrder.toReversed().sort()).toEqual(inOrder);
  });

  it('fits into 200 characters', () => {
    const longest = { ...event, stream: `printJobTemplate-${event.id}`, revision: 9_999_999_999 };
    const position = `${nameOf(longest)}/${seal}`;
    expect(positionOf(position)?.event.revision).toBe(9_999_999_999);
    expect(position.length).toBeLessThanOrEqual(200);
  });

  it.each([
    ['nothing', ''],
    ['a position of another form', '00000000000000000042'],
    ['a name without a seal', name],
    ['a part too many', `${name}/${seal}/x`],
    ['a revision that is no number', `${name.replace('0000000004', '-000000001')}/${seal}`],
    ['a line break at the end', `${name}/${seal}\n`],
  ])('refuses %s', (_, text) => {
    expect(positionOf(text)).toBeUndefined();
  });
});
