import { UploadSlots } from './upload-slots.js';

describe('limiting large bodies', () => {
  const started: string[] = [];
  let slots: UploadSlots;
  beforeEach(() => {
    started.length = 0;
    slots = new UploadSlots({ total: 3, perOwner: 2, waiting: 2 });
  });
  const upload = (owner: string, name: string) => slots.acquire(owner, () => started.push(name));

  it('limits the share of one owner and serves others beyond it', () => {
    for (const name of ['a1', 'a2', 'a3']) upload('a', name);
    upload('b', 'b1');
    expect(started).toEqual(['a1', 'a2', 'b1']);
  });

  it('serves waiting bodies in order', () => {
    for (const name of ['a1', 'a2', 'a3']) upload('a', name);
    upload('b', 'b1');
    upload('c', 'c1');
    slots.release('b');
    slots.release('a');
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  it('refuses bodies when too many wait', () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) expect(upload('a', name)).toBe(true);
    expect(upload('b', 'b1')).toBe(false);
    slots.release('a');
    expect(upload('b', 'b1')).toBe(true);
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1']);
  });
});
