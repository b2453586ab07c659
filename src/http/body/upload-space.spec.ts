import { UploadSpace } from './upload-space.js';

describe('sharing memory for large bodies', () => {
  const started: string[] = [];
  let space: UploadSpace;
  beforeEach(() => {
    started.length = 0;
    space = new UploadSpace({ bytes: 64, bodiesOfOwner: 4, waitingOfOwner: 2, waiting: 3 });
  });
  const upload = (owner: string, name: string, bytes = 16) =>
    space.acquire(owner, bytes, () => started.push(name));

  it('gives an owner at most as much as stays free', () => {
    for (const name of ['a1', 'a2', 'a3']) upload('a', name);
    expect(started).toEqual(['a1', 'a2']);
    for (const name of ['b1', 'b2']) upload('b', name);
    expect(started).toEqual(['a1', 'a2', 'b1']);
  });

  it('has space for a small body of another owner, however many owners hold their maximum', () => {
    for (const owner of ['a', 'b', 'c', 'd', 'e'])
      for (const bytes of [16, 8, 4, 2]) upload(owner, owner, bytes);
    upload('z', 'z1', 0.5);
    expect(started.at(-1)).toBe('z1');
  });

  it('receives four bodies of an owner at once, however small', () => {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) upload('a', name, 1);
    expect(started).toEqual(['a1', 'a2', 'a3', 'a4']);
    space.release('a', 1);
    expect(started.at(-1)).toBe('a5');
  });

  it('serves waiting owners in turn', () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) upload('a', name);
    upload('b', 'b1');
    upload('b', 'b2');
    expect(started).toEqual(['a1', 'a2', 'b1']);
    space.release('a', 16);
    space.release('b', 16);
    expect(started.slice(3)).toEqual(['a3', 'b2']);
  });

  it('refuses bodies beyond the queue of an owner, but not those of others', () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) expect(upload('a', name)).toBe(true);
    expect(upload('a', 'a5')).toBe(false);
    expect(upload('b', 'b1')).toBe(true);
    space.release('a', 16);
    space.release('b', 16);
    expect(upload('a', 'a5')).toBe(true);
  });

  it('refuses bodies beyond the queue of all owners', () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) upload('a', name);
    for (const name of ['b1', 'b2', 'b3']) upload('b', name);
    expect(upload('c', 'c1')).toBe(false);
  });
});
