import { rebuild, rebuildInSteps } from './replay.js';

/** The end of the log is reached after so many pages. */
function shadowOf<Step>(pages: number, as: (isDone: boolean) => Step) {
  const taken: string[] = [];
  const take = (name: string, isDone = true) => {
    taken.push(name);
    return as(isDone);
  };
  let replayed = 0;
  const shadow = {
    replay: () => take('replay', ++replayed > pages),
    indexes: [() => take('index 1'), () => take('index 2')],
    activate: () => take('activate'),
  };
  return { shadow, taken };
}

const ALL = ['replay', 'replay', 'replay', 'index 1', 'index 2', 'activate'];

describe('rebuilding views', () => {
  it('replays to the end of the log, builds the indexes, then activates', async () => {
    const { shadow, taken } = shadowOf(2, (isDone) => Promise.resolve(isDone));
    await rebuild(shadow);
    expect(taken).toEqual(ALL);
  });

  it('lets the caller work between two steps', () => {
    const { shadow, taken } = shadowOf(2, (isDone) => isDone);
    const steps = rebuildInSteps(shadow);
    const counts: number[] = [];
    for (let left = 10; left > 0 && !steps.next().done; left--) counts.push(taken.length);
    expect(taken).toEqual(ALL);
    expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('activates nothing after a step that fails', async () => {
    const { shadow, taken } = shadowOf(2, (isDone) => Promise.resolve(isDone));
    const indexes = [() => Promise.reject(new Error('no room'))];
    await expect(rebuild({ ...shadow, indexes })).rejects.toThrow('no room');
    expect(taken).toEqual(['replay', 'replay', 'replay']);
  });
});
