import { DeliveryScheduler } from './delivery-scheduler.js';
import { MAX_IDS, type Ending } from './endpoint-queue.js';

/** `<account>/<webhook>`; a name without a slash is the only webhook of an account of the same name. */
const of = (webhookId: string) => ({ accountId: webhookId.split('/')[0]!, webhookId });
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
  scheduler.free(of(webhookId), ending);
  if (deliveryId !== undefined) scheduler.release(of(webhookId), deliveryId);
};
const many = (count: number, name: string) => Array.from({ length: count }, (_, n) => `${name}${n}`);

describe('scheduling deliveries', () => {
  let scheduler: DeliveryScheduler;
  beforeEach(() => (scheduler = new DeliveryScheduler()));
  const fill = (webhookId: string, count: number) => {
    for (const id of many(count, webhookId)) scheduler.add(of(webhookId), id);
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
    for (const webhookId of many(70, 'w')) fill(webhookId, 4);
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
    scheduler.add(of('a'), 'a0');
    scheduler.add(of('a'), 'a0');
    expect(sent(scheduler)).toEqual(['a0']);
    scheduler.add(of('a'), 'a0');
    expect(sent(scheduler)).toEqual([]);
    end(scheduler, 'a', 'a0', 'failure');
    scheduler.add(of('a'), 'a0');
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
    scheduler.clear(of('a'));
    expect(sent(scheduler)).toEqual([]);
    end(scheduler, 'a', first, 'unsent');
    expect(scheduler.size).toBe(0);
  });
});

describe('sharing among accounts', () => {
  let scheduler: DeliveryScheduler;
  beforeEach(() => (scheduler = new DeliveryScheduler()));
  /** `count` webhooks of one account, with four deliveries each. */
  const fill = (accountId: string, count = 20) => {
    for (const webhookId of many(count, `${accountId}/`))
      for (const id of many(4, `${webhookId}-`)) scheduler.add(of(webhookId), id);
  };
  const countOf = (accountId: string, ids: readonly string[]) =>
    ids.filter((id) => id.startsWith(`${accountId}/`)).length;

  it('leaves slots to others while one account has as many as are free', () => {
    fill('slow');
    expect(sent(scheduler)).toHaveLength(32);
    fill('other', 1);
    expect(sent(scheduler)).toEqual(many(4, 'other/0-'));
  });

  it('gives each of two busy accounts about a third as slots are freed', () => {
    fill('slow');
    const slow = sent(scheduler);
    fill('late');
    let late = countOf('late', sent(scheduler));
    expect(late).toBe(16);
    for (const id of slow.slice(0, 20)) {
      end(scheduler, id.split('-')[0]!, id, 'success');
      late += countOf('late', sent(scheduler));
    }
    expect([late, scheduler.busy]).toEqual([22, 43]);
  });

  it('takes accounts in turn, and the endpoints of each in turn', () => {
    fill('a', 2);
    fill('b', 1);
    expect(sent(scheduler, 6)).toEqual(['a/0-0', 'b/0-0', 'a/1-0', 'b/0-1', 'a/0-1', 'b/0-2']);
  });

  it('reserves no slot and admits no manual attempt beyond the share', () => {
    fill('slow');
    const slow = sent(scheduler);
    let isAdmitted = false;
    scheduler.request(of('slow/new'), () => (isAdmitted = true));
    expect(scheduler.reserve(of('slow/newer'), 'new')).toBeUndefined();
    expect(isAdmitted).toBe(false);
    expect(scheduler.reserve(of('other'), 'new')).toBeDefined();
    scheduler.free(of('other'), 'success');
    end(scheduler, 'slow/0', slow[0], 'success');
    expect(isAdmitted).toBe(true);
  });

  it('reads pages of others while one account has as many reads as are free', () => {
    for (const webhookId of many(4, 'a/')) scheduler.readAgain(of(webhookId));
    expect([scheduler.nextPage()?.webhookId, scheduler.nextPage()?.webhookId]).toEqual(['a/0', 'a/1']);
    expect(scheduler.nextPage()).toBeUndefined();
    scheduler.readAgain(of('b'));
    expect(scheduler.nextPage()?.webhookId).toBe('b');
  });

  it('leaves memory to others while one account holds as many ids as are left', () => {
    for (const webhookId of many(20, 'a/'))
      for (const id of many(1_000, `${webhookId}-`))
        scheduler.block({ ...of(webhookId), deliveryId: id }, 'first');
    scheduler.block({ ...of('b'), deliveryId: 'b1' }, 'second');
    scheduler.unblock('second');
    expect(sent(scheduler)).toEqual(['b1']);
    scheduler.readAgain(of('a/new'));
    scheduler.readAgain(of('new'));
    const [own, other] = [scheduler.nextPage()!, scheduler.nextPage()!];
    expect([own.limit < MAX_IDS, other.limit]).toEqual([true, MAX_IDS]);
  });
});

describe('reading pages of ready deliveries', () => {
  let scheduler: DeliveryScheduler;
  beforeEach(() => (scheduler = new DeliveryScheduler()));

  it('starts when the queue is empty, and continues page by page', () => {
    scheduler.readAgain(of('a'));
    const first = scheduler.nextPage()!;
    expect(first).toEqual({ ...of('a'), limit: MAX_IDS });
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
    for (const id of many(250, 'a')) scheduler.add(of('a'), id);
    for (const id of many(MAX_IDS, 'a')) {
      expect(sent(scheduler, 1)).toEqual([id]);
      end(scheduler, 'a', id, 'success');
    }
    expect(scheduler.nextPage()).toEqual({ ...of('a'), limit: MAX_IDS });
  });

  it('restarts for a delivery added meanwhile', () => {
    scheduler.readAgain(of('a'));
    const first = scheduler.nextPage()!;
    scheduler.add(of('a'), 'new');
    scheduler.addPage(first, [], undefined);
    const second = scheduler.nextPage()!;
    scheduler.addPage(second, ['new'], undefined);
    expect(sent(scheduler)).toEqual(['new']);
  });

  it('discards a page read before its queue was cleared', () => {
    scheduler.readAgain(of('a'));
    const stale = scheduler.nextPage()!;
    scheduler.clear(of('a'));
    scheduler.readAgain(of('a'));
    const fresh = scheduler.nextPage()!;
    scheduler.addPage(stale, ['a5'], 'cursor-5');
    scheduler.addPage(fresh, ['a0'], undefined);
    expect(sent(scheduler)).toEqual(['a0']);
    end(scheduler, 'a', 'a0', 'success');
    expect(scheduler.size).toBe(0);
  });

  it('runs for at most four webhooks at once', () => {
    for (const webhookId of many(6, 'w')) scheduler.readAgain(of(webhookId));
    const pages = [1, 2, 3, 4].map(() => scheduler.nextPage()!);
    expect(pages.map(({ webhookId }) => webhookId)).toEqual(['w0', 'w1', 'w2', 'w3']);
    expect(scheduler.nextPage()).toBeUndefined();
    scheduler.addPage(pages[1]!, [], undefined);
    expect(scheduler.nextPage()?.webhookId).toBe('w4');
  });

  it('reads short pages when many ids are queued or in flight', () => {
    scheduler.readAgain(of('fresh'));
    for (const webhookId of many(300, 'w'))
      for (const id of many(99, `${webhookId}-`)) scheduler.add(of(webhookId), id);
    expect(scheduler.nextPage()?.limit).toBeLessThan(MAX_IDS);
  });
});

describe('reserving a slot ahead of the queue', () => {
  let scheduler: DeliveryScheduler;
  beforeEach(() => (scheduler = new DeliveryScheduler()));

  it('succeeds for a new delivery while its webhook has none waiting', () => {
    expect(scheduler.reserve(of('a'), 'new')).toEqual({ ...of('a'), deliveryId: 'new' });
    scheduler.add(of('a'), 'a0');
    expect(scheduler.reserve(of('a'), 'newer')).toBeUndefined();
    scheduler.readAgain(of('b'));
    expect(scheduler.reserve(of('b'), 'new')).toBeUndefined();
  });

  it('marks the id of the new delivery as in flight', () => {
    scheduler.reserve(of('a'), 'new');
    scheduler.add(of('a'), 'new');
    expect(sent(scheduler)).toEqual([]);
  });

  it('respects the limits', () => {
    const isReserved = (webhookId: string, id: string) => scheduler.reserve(of(webhookId), id) !== undefined;
    expect(many(5, 'a').map((id) => isReserved('a', id))).toEqual([true, true, true, true, false]);
    for (const webhookId of many(60, 'w')) isReserved(webhookId, 'new');
    expect(isReserved('late', 'new')).toBe(false);
    scheduler.free(of('a'), 'unsent');
    expect(isReserved('late', 'new')).toBe(true);
  });

  it('prefers manual attempts to queued ones', () => {
    const admitted: string[] = [];
    for (const id of many(9, 'a')) scheduler.add(of('a'), id);
    const [first] = sent(scheduler);
    scheduler.request(of('a'), () => admitted.push('one'));
    const giveUp = scheduler.request(of('a'), () => admitted.push('two'));
    scheduler.request(of('b'), () => admitted.push('three'));
    expect(admitted).toEqual(['three']);
    end(scheduler, 'a', first, 'success');
    expect(admitted).toEqual(['three', 'one']);
    giveUp();
    scheduler.free(of('a'), 'success');
    expect(sent(scheduler)).toEqual(['a4']);
    expect(admitted).toEqual(['three', 'one']);
  });
});

describe('blocking a delivery behind an earlier one', () => {
  let scheduler: DeliveryScheduler;
  beforeEach(() => (scheduler = new DeliveryScheduler()));

  it('queues it once the earlier one is finished', () => {
    scheduler.block({ ...of('a'), deliveryId: 'a1' }, 'a0');
    scheduler.block({ ...of('a'), deliveryId: 'a2' }, 'a0');
    scheduler.add(of('a'), 'a1');
    scheduler.unblock('b0');
    expect(sent(scheduler)).toEqual([]);
    scheduler.unblock('a0');
    expect(sent(scheduler)).toEqual(['a1', 'a2']);
  });

  it('takes it from the view again after a release', () => {
    scheduler.block({ ...of('a'), deliveryId: 'a1' }, 'a0');
    scheduler.releaseBlocked();
    expect(scheduler.size).toBe(0);
    scheduler.unblock('a0');
    expect(sent(scheduler)).toEqual([]);
    scheduler.add(of('a'), 'a1');
    expect(sent(scheduler)).toEqual(['a1']);
  });

  it('remembers a thousand for each webhook', () => {
    for (const id of many(1_001, 'a')) scheduler.block({ ...of('a'), deliveryId: id }, 'first');
    scheduler.block({ ...of('b'), deliveryId: 'b1' }, 'first');
    scheduler.unblock('first');
    const found = new Set<string>();
    for (let slot = scheduler.next(); slot; slot = scheduler.next()) {
      found.add(slot.deliveryId);
      end(scheduler, slot.webhookId, slot.deliveryId, 'success');
    }
    expect([found.has('b1'), found.has('a99'), found.has('a1000')]).toEqual([true, true, false]);
  });
});
