import { HashQueue, type HashRequester } from './password-hasher.js';

const requester = (name: string, given: Partial<HashRequester> = {}): HashRequester => ({
  ...{ name, networks: [`network of ${name}`], attempts: 1, isKnown: false },
  ...given,
});

/** A queue whose hashes end when the test says so. */
function heldQueue() {
  const queue = new HashQueue();
  const running: { name: string; end: () => void }[] = [];
  const refused: string[] = [];
  return {
    running: () => running.map(({ name }) => name),
    refused,
    async ask(...places: HashRequester[]) {
      for (const each of places) {
        const hash = () => new Promise<void>((end) => running.push({ name: each.name, end }));
        queue.run(each, hash).catch(() => refused.push(each.name));
      }
      await settled();
    },
    /** Ends the oldest hash; resolves to the names that run then. */
    async end() {
      running.shift()!.end();
      await settled();
      return running.map(({ name }) => name);
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const named = (prefix: string, count: number, given: Partial<HashRequester> = {}) =>
  Array.from({ length: count }, (_, n) => requester(`${prefix}${n}`, given));

describe('the queue for hashes', () => {
  it('runs two at a time, in turn, and refuses the ninth waiting one', async () => {
    const queue = heldQueue();
    await queue.ask(...named('a', 11));
    expect(queue.running()).toEqual(['a0', 'a1']);
    expect(queue.refused).toEqual(['a10']);
    expect(await queue.end()).toEqual(['a1', 'a2']);
  });

  it('frees a slot when a hash fails', async () => {
    const queue = new HashQueue();
    const failing = () => queue.run(requester('a'), () => Promise.reject(new Error('out of memory')));
    for (let n = 0; n < 3; n++) await expect(failing()).rejects.toThrow('out of memory');
    await expect(queue.run(requester('a'), () => Promise.resolve('hash'))).resolves.toBe('hash');
  });

  it('lets two wait per name, two per network and four per wider network', async () => {
    const queue = heldQueue();
    await queue.ask(...named('first', 2), requester('bea'), requester('bea'), requester('bea'));
    expect(queue.refused).toEqual(['bea']);
    await queue.ask(...named('near', 3, { networks: ['/64', '/48'] }));
    expect(queue.refused).toEqual(['bea', 'near2']);
    const far = named('far', 3).map((each) => ({ ...each, networks: [each.name, '/48'] }));
    await queue.ask(...far);
    expect(queue.refused).toEqual(['bea', 'near2', 'far2']);
  });

  it('reserves slots for known browsers, which go first', async () => {
    const queue = heldQueue();
    await queue.ask(...named('stranger', 10), ...named('known', 9, { isKnown: true, networks: ['office'] }));
    expect(queue.refused).toEqual(['known8']);
    expect(await queue.end()).toEqual(['stranger1', 'known0']);
    expect(await queue.end()).toEqual(['known0', 'known1']);
  });

  it('prefers the network with the fewest attempts, and refuses the one with the most', async () => {
    const queue = heldQueue();
    const busy = named('attacker', 14).map((each, n) => ({ ...each, attempts: 2 + n }));
    await queue.ask(...busy, requester('bea'));
    expect(queue.refused).toEqual([10, 11, 12, 13, 9].map((n) => `attacker${n}`));
    expect(await queue.end()).toEqual(['attacker1', 'bea']);
  });
});
