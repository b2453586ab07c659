import { DeliveryScheduler } from './delivery-scheduler.js';
import { MAX_IDS, type Ending } from './endpoint-queue.js';

const sent = (scheduler: DeliveryScheduler, most = Infinity): string[] => {
  const ids: string[] = [];
  while (ids.length < most) {
    const slot = scheduler.next();
    if (!slot) break;
    ids.push(slot.deliveryId);
  }
  return ids;
};
const end = (
  scheduler: DeliveryScheduler,
  webhookId: string,
  deliveryId: string | undefined,
  ending: Ending,
) => {
  scheduler.free(webhookId, ending);
  if (deliveryId !== undefined) scheduler.release(webhookId, deliveryId);
};
const many = (count: number, name: string) => Array.from({ length: count }, (_, n) => `${name}${n}`);

describe('scheduling deliveries', () => {
  let scheduler: DeliveryScheduler;
  beforeEach(() => (scheduler = new DeliveryScheduler()));
  const fill = (webhookId: string, count: number) => {
    for (const id of many(count, webhookId)) scheduler.add(webhookId, id);
  };

  it('takes the endpoints in turn, the oldest delivery of each first', () => {
    fill('a', 3);
    fill('b', 1);
    fill('c', 2);
    expect(sent(scheduler)).toEqual(['a0', 'b0', 'c0', 'a1', 'c1', 'a2']);
  });

  it('sends four to one endpoint, then one for each that ends', () => {
    fill('a', 9);
    expect(sent(scheduler)).toEqual(['a0', 'a1', 'a2', 'a3']);
    end(scheduler, 'a', 'a1', 'failure');
    expect(sent(scheduler)).toEqual(['a4']);
  });

  it('sends at most 64 in all', () => {
    for (const webhookId of many(40, 'w')) fill(webhookId, 4);
    const first = sent(scheduler);
    expect(first).toHaveLength(64);
    expect(new Set(first).size).toBe(64);
    expect(scheduler.busy).toBe(64);
    end(scheduler, 'w0', 'w00', 'success');
    expect(sent(scheduler)).toHaveLength(1);
  });

  it('sends one at a time after three timeouts in a row, until a success', () => {
    fill('a', 20);
    const ids = sent(scheduler);
    for (const id of ids.slice(0, 3)) end(scheduler, 'a', id, 'timeout');
    expect(sent(scheduler)).toEqual([]);
    end(scheduler, 'a', ids[3], 'failure');
    expect(sent(scheduler)).toEqual(['a4']);
    end(scheduler, 'a', 'a4', 'failure');
    expect(sent(scheduler)).toEqual(['a5']);
    end(scheduler, 'a', 'a5', 'success');
    expect(sent(scheduler)).toHaveLength(4);
  });

  it('counts only consecutive timeouts', () => {
    fill('a', 20);
    const endings = ['timeout', 'timeout', 'failure', 'timeout', 'timeout', 'unsent'] as const;
    for (const ending of endings) end(scheduler, 'a', sent(scheduler, 1)[0], ending);
    expect(sent(scheduler)).toHaveLength(4);
  });

  it('ignores a delivery that is queued or in flight', () => {
    scheduler.add('a', 'a0');
    scheduler.add('a', 'a0');
    expect(sent(scheduler)).toEqual(['a0']);
    scheduler.add('a', 'a0');
    expect(sent(scheduler)).toEqual([]);
    end(scheduler, 'a', 'a0', 'failure');
    scheduler.add('a', 'a0');
    expect(sent(scheduler)).toEqual(['a0']);
  });

  it('drops an empty queue', () => {
    fill('a', 1);
    end(scheduler, 'a', sent(scheduler)[0], 'success');
    expect([scheduler.size, scheduler.busy]).toEqual([0, 0]);
  });

  it('drops the waiting ids of a removed webhook', () => {
    fill('a', 9);
    const [first] = sent(scheduler, 1);
    scheduler.clear('a');
    expect(sent(scheduler)).toEqual([]);
    end(scheduler, 'a', first, 'unsent');
    expect(scheduler.size).toBe(0);
  });
});

describe('reading pages of ready deliveries', () => {
  let scheduler: DeliveryScheduler;
  beforeEach(() => (scheduler = new DeliveryScheduler()));

  it('starts when the queue is empty, and continues page by page', () => {
    scheduler.readAgain('a');
    const first = scheduler.nextPage()!;
    expect(first).toEqual({ webhookId: 'a', limit: MAX_IDS });
    expect([scheduler.nextPage(), scheduler.next()]).toEqual([undefined, undefined]);
    scheduler.addPage(first, ['a0', 'a1'], 'cursor-1');
    expect(scheduler.nextPage()).toBeUndefined();
    expect(sent(scheduler)).toEqual(['a0', 'a1']);
    const second = scheduler.nextPage()!;
    expect(second.after).toBe('cursor-1');
    scheduler.addPage(second, ['a2'], undefined);
    expect(sent(scheduler)).toEqual(['a2']);
    expect(scheduler.nextPage()).toBeUndefined();
  });

  it('covers deliveries beyond the hundred ids of a queue', () => {
    for (const id of many(250, 'a')) scheduler.add('a', id);
    for (const id of many(MAX_IDS, 'a')) {
      expect(sent(scheduler, 1)).toEqual([id]);
      end(scheduler, 'a', id, 'success');
    }
    expect(scheduler.nextPage()).toEqual({ webhookId: 'a', limit: MAX_IDS });
  });

  it('restarts for a delivery added meanwhile', () => {
    scheduler.readAgain('a');
    const first = scheduler.nextPage()!;
    scheduler.add('a', 'new');
    scheduler.addPage(first, [], undefined);
    const second = scheduler.nextPage()!;
    scheduler.addPage(second, ['new'], undefined);
    expect(sent(scheduler)).toEqual(['new']);
  });

  it('discards a page read before its queue was cleared', () => {
    scheduler.readAgain('a');
    const stale = scheduler.nextPage()!;
    scheduler.clear('a');
    scheduler.readAgain('a');
    const fresh = scheduler.nextPage()!;
    scheduler.addPage(stale, ['a5'], 'cursor-5');
    scheduler.addPage(fresh, ['a0'], undefined);
    expect(sent(scheduler)).toEqual(['a0']);
    end(scheduler, 'a', 'a0', 'success');
    expect(scheduler.size).toBe(0);
  });

  it('runs for at most four webhooks at once', () => {
    for (const webhookId of many(6, 'w')) scheduler.readAgain(webhookId);
    const pages = [1, 2, 3, 4].map(() => scheduler.nextPage()!);
    expect(pages.map(({ webhookId }) => webhookId)).toEqual(['w0', 'w1', 'w2', 'w3']);
    expect(scheduler.nextPage()).toBeUndefined();
    scheduler.addPage(pages[1]!, [], undefined);
    expect(scheduler.nextPage()?.webhookId).toBe('w4');
  });

  it('reads short pages when many ids are queued or in flight', () => {
    scheduler.readAgain('fresh');
    for (const webhookId of many(300, 'w'))
      for (const id of many(99, `${webhookId}-`)) scheduler.add(webhookId, id);
    expect(scheduler.nextPage()?.limit).toBeLessThan(MAX_IDS);
  });
});

describe('reserving a slot ahead of the queue', () => {
  let scheduler: DeliveryScheduler;
  beforeEach(() => (scheduler = new DeliveryScheduler()));

  it('succeeds for a new delivery while its webhook has none waiting', () => {
    expect(scheduler.reserve('a', 'new')).toEqual({ webhookId: 'a', deliveryId: 'new' });
    scheduler.add('a', 'a0');
    expect(scheduler.reserve('a', 'newer')).toBeUndefined();
    scheduler.readAgain('b');
    expect(scheduler.reserve('b', 'new')).toBeUndefined();
  });

  it('marks the id of the new delivery as in flight', () => {
    scheduler.reserve('a', 'new');
    scheduler.add('a', 'new');
    expect(sent(scheduler)).toEqual([]);
  });

  it('respects the limits', () => {
    const isReserved = (webhookId: string, id: string) => scheduler.reserve(webhookId, id) !== undefined;
    expect(many(5, 'a').map((id) => isReserved('a', id))).toEqual([true, true, true, true, false]);
    for (const webhookId of many(60, 'w')) isReserved(webhookId, 'new');
    expect(isReserved('late', 'new')).toBe(false);
    scheduler.free('a', 'unsent');
    expect(isReserved('late', 'new')).toBe(true);
  });

  it('prefers manual attempts to queued ones', () => {
    const admitted: string[] = [];
    for (const id of many(9, 'a')) scheduler.add('a', id);
    const [first] = sent(scheduler);
    scheduler.request('a', () => admitted.push('one'));
    const giveUp = scheduler.request('a', () => admitted.push('two'));
    scheduler.request('b', () => admitted.push('three'));
    expect(admitted).toEqual(['three']);
    end(scheduler, 'a', first, 'success');
    expect(admitted).toEqual(['three', 'one']);
    giveUp();
    scheduler.free('a', 'success');
    expect(sent(scheduler)).toEqual(['a4']);
    expect(admitted).toEqual(['three', 'one']);
  });
});

describe('blocking a delivery behind an earlier one', () => {
  let scheduler: DeliveryScheduler;
  beforeEach(() => (scheduler = new DeliveryScheduler()));

  it('queues it once the earlier one is finished', () => {
    scheduler.block('a', 'a1', 'a0');
    scheduler.block('a', 'a2', 'a0');
    scheduler.add('a', 'a1');
    scheduler.unblock('b0');
    expect(sent(scheduler)).toEqual([]);
    scheduler.unblock('a0');
    expect(sent(scheduler)).toEqual(['a1', 'a2']);
  });

  it('takes it from the view again after a release', () => {
    scheduler.block('a', 'a1', 'a0');
    scheduler.releaseBlocked();
    expect(scheduler.size).toBe(0);
    scheduler.unblock('a0');
    expect(sent(scheduler)).toEqual([]);
    scheduler.add('a', 'a1');
    expect(sent(scheduler)).toEqual(['a1']);
  });

  it('remembers a thousand for each webhook', () => {
    for (const id of many(1_001, 'a')) scheduler.block('a', id, 'first');
    scheduler.block('b', 'b1', 'first');
    scheduler.unblock('first');
    const found = new Set<string>();
    for (let slot = scheduler.next(); slot; slot = scheduler.next()) {
      found.add(slot.deliveryId);
      end(scheduler, slot.webhookId, slot.deliveryId, 'success');
    }
    expect([found.has('b1'), found.has('a99'), found.has('a1000')]).toEqual([true, true, false]);
  });
});
