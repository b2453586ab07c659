import { REMEMBERED, type Ending } from './lane.js';
import { Lanes, type Turn } from './lanes.js';

const attemptsOf = (lanes: Lanes, most = Infinity): string[] => {
  const ids: string[] = [];
  while (ids.length < most) {
    const turn = lanes.next();
    if (turn?.kind !== 'attempt') break;
    ids.push(turn.deliveryId);
  }
  return ids;
};
const end = (lanes: Lanes, webhookId: string, deliveryId: string | undefined, ending: Ending) => {
  lanes.ended(webhookId, ending);
  if (deliveryId !== undefined) lanes.release(webhookId, deliveryId);
};
const many = (count: number, name: string) => Array.from({ length: count }, (_, n) => `${name}${n}`);
const lookAt = (turn: Turn | undefined) => (turn?.kind === 'look' ? turn : undefined);

describe('giving turns', () => {
  let lanes: Lanes;
  beforeEach(() => (lanes = new Lanes()));
  const fill = (webhookId: string, count: number) => {
    for (const id of many(count, webhookId)) lanes.add(webhookId, id);
  };

  it('goes round the webhooks, oldest first in each', () => {
    fill('a', 3);
    fill('b', 1);
    fill('c', 2);
    expect(attemptsOf(lanes)).toEqual(['a0', 'b0', 'c0', 'a1', 'c1', 'a2']);
  });

  it('gives a webhook four at once, and the next when one has ended', () => {
    fill('a', 9);
    expect(attemptsOf(lanes)).toEqual(['a0', 'a1', 'a2', 'a3']);
    end(lanes, 'a', 'a1', 'failure');
    expect(attemptsOf(lanes)).toEqual(['a4']);
  });

  it('gives 64 in all', () => {
    for (const webhookId of many(40, 'w')) fill(webhookId, 4);
    const first = attemptsOf(lanes);
    expect(first).toHaveLength(64);
    expect(new Set(first).size).toBe(64);
    expect(lanes.busy).toBe(64);
    end(lanes, 'w0', 'w00', 'success');
    expect(attemptsOf(lanes)).toHaveLength(1);
  });

  it('gives one at a time after three timeouts in a row, until a success', () => {
    fill('a', 20);
    const ids = attemptsOf(lanes);
    for (const id of ids.slice(0, 3)) end(lanes, 'a', id, 'timeout');
    expect(attemptsOf(lanes)).toEqual([]);
    end(lanes, 'a', ids[3], 'failure');
    expect(attemptsOf(lanes)).toEqual(['a4']);
    end(lanes, 'a', 'a4', 'failure');
    expect(attemptsOf(lanes)).toEqual(['a5']);
    end(lanes, 'a', 'a5', 'success');
    expect(attemptsOf(lanes)).toHaveLength(4);
  });

  it('counts timeouts in a row only', () => {
    fill('a', 20);
    const endings = ['timeout', 'timeout', 'failure', 'timeout', 'timeout', 'unsent'] as const;
    for (const ending of endings) end(lanes, 'a', attemptsOf(lanes, 1)[0], ending);
    expect(attemptsOf(lanes)).toHaveLength(4);
  });

  it('does not take a delivery that is already held', () => {
    lanes.add('a', 'a0');
    lanes.add('a', 'a0');
    expect(attemptsOf(lanes)).toEqual(['a0']);
    lanes.add('a', 'a0');
    expect(attemptsOf(lanes)).toEqual([]);
    end(lanes, 'a', 'a0', 'failure');
    lanes.add('a', 'a0');
    expect(attemptsOf(lanes)).toEqual(['a0']);
  });

  it('forgets a webhook with nothing to remember', () => {
    fill('a', 1);
    end(lanes, 'a', attemptsOf(lanes)[0], 'success');
    expect([lanes.size, lanes.busy]).toEqual([0, 0]);
  });

  it('drops what waits for a webhook that takes nothing', () => {
    fill('a', 9);
    const [first] = attemptsOf(lanes, 1);
    lanes.clear('a');
    expect(attemptsOf(lanes)).toEqual([]);
    end(lanes, 'a', first, 'unsent');
    expect(lanes.size).toBe(0);
  });
});

describe('looking into the view', () => {
  let lanes: Lanes;
  beforeEach(() => (lanes = new Lanes()));

  it('comes before sending, and goes on page by page', () => {
    lanes.lookAgain('a');
    expect(lookAt(lanes.next())).toMatchObject({ webhookId: 'a', page: { limit: REMEMBERED } });
    expect(lanes.next()).toBeUndefined();
    lanes.found('a', ['a0', 'a1'], 'birth-1');
    expect(attemptsOf(lanes, 2)).toEqual(['a0', 'a1']);
    expect(lookAt(lanes.next())?.page.after).toBe('birth-1');
    lanes.found('a', ['a2'], undefined);
    expect(attemptsOf(lanes)).toEqual(['a2']);
    expect(lanes.next()).toBeUndefined();
  });

  it('remembers a hundred ids, and reads the others when they are sent', () => {
    for (const id of many(250, 'a')) lanes.add('a', id);
    for (const id of many(REMEMBERED, 'a')) {
      expect(attemptsOf(lanes, 1)).toEqual([id]);
      end(lanes, 'a', id, 'success');
    }
    expect(lookAt(lanes.next())?.page.after).toBeUndefined();
  });

  it('happens once more when something came meanwhile', () => {
    lanes.lookAgain('a');
    lanes.next();
    lanes.add('a', 'new');
    lanes.found('a', [], undefined);
    expect(lookAt(lanes.next())).toBeDefined();
    lanes.found('a', ['new'], undefined);
    expect(attemptsOf(lanes)).toEqual(['new']);
  });

  it('brings few ids when very many are remembered', () => {
    lanes.lookAgain('fresh');
    for (const webhookId of many(300, 'w'))
      for (const id of many(99, `${webhookId}-`)) lanes.add(webhookId, id);
    expect(lookAt(lanes.next())?.page.limit).toBeLessThan(REMEMBERED);
  });
});

describe('taking room beforehand', () => {
  let lanes: Lanes;
  beforeEach(() => (lanes = new Lanes()));

  it('is for a webhook that has nothing waiting', () => {
    expect(lanes.reserve('a')).toBe(true);
    lanes.add('a', 'a0');
    expect(lanes.reserve('a')).toBe(false);
    lanes.lookAgain('b');
    expect(lanes.reserve('b')).toBe(false);
  });

  it('keeps the limits', () => {
    expect(many(5, '').map(() => lanes.reserve('a'))).toEqual([true, true, true, true, false]);
    for (const webhookId of many(60, 'w')) lanes.reserve(webhookId);
    expect(lanes.reserve('late')).toBe(false);
    lanes.ended('a', 'unsent');
    expect(lanes.reserve('late')).toBe(true);
  });

  it('goes to whoever asks before what is queued', () => {
    const admitted: string[] = [];
    for (const id of many(9, 'a')) lanes.add('a', id);
    const [first] = attemptsOf(lanes);
    lanes.ask('a', () => admitted.push('one'));
    const giveUp = lanes.ask('a', () => admitted.push('two'));
    lanes.ask('b', () => admitted.push('three'));
    expect(admitted).toEqual(['three']);
    end(lanes, 'a', first, 'success');
    expect(admitted).toEqual(['three', 'one']);
    giveUp();
    lanes.ended('a', 'success');
    expect(attemptsOf(lanes)).toEqual(['a4']);
    expect(admitted).toEqual(['three', 'one']);
  });
});
