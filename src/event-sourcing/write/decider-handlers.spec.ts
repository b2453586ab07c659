import { SystemRandomness } from '../../app/system/system-randomness.js';
import type { Append } from '../ports/event-store.port.js';
import { accept, type Decider } from '../../kernel/decider.js';
import type { Issued } from '../../kernel/command.js';
import { AggregateStore } from './aggregate-store.js';
import { deciderHandlers } from './decider-handlers.js';
import { TestEventStore } from '../../../test/kit/stores.js';
import { ConcurrencyError } from '../../kernel/errors.js';

class Count implements Issued {
  readonly at = '2026-11-21T12:00:00.000Z';
  readonly by = { actor: { kind: 'process', id: 'spec' }, correlationId: 'correlation' } as const;
  constructor(readonly counterId: string) {}
}

type Counted = { readonly type: 'Counted'; readonly data: object };

const decider: Decider<number, Count, Counted, { readonly code: 'Never' }> = {
  initialState: 0,
  evolve: (count) => count + 1,
  decide: () => accept({ type: 'Counted', data: {} }),
};

/** An append takes as long as a turn of the event loop, so that many meet in it. */
class SlowEventStore extends TestEventStore {
  override async append(append: Append) {
    await new Promise((resolve) => setImmediate(resolve));
    return super.append(append);
  }
}

function handlerOf(serialised: boolean) {
  const counter = { category: 'counter', decider, serialised };
  const events = new SlowEventStore();
  const aggregates = new AggregateStore(events, new SystemRandomness(), {
    pause: () => Promise.resolve(),
  });
  const [made] = deciderHandlers<Count>(Symbol('counter'), (it) => it.counterId, [Count]);
  const Handler = made as new (...given: unknown[]) => { execute(command: Count): Promise<unknown> };
  return { events, handler: new Handler(counter, aggregates) };
}

const many = Array.from({ length: 50 }, () => new Count('a'));

describe('concurrent commands for one aggregate', () => {
  it('lose races and give up after a few', async () => {
    const { handler } = handlerOf(false);
    await expect(Promise.all(many.map((it) => handler.execute(it)))).rejects.toThrow(ConcurrencyError);
  });

  it('lose none when serialised', async () => {
    const { events, handler } = handlerOf(true);
    await Promise.all(many.map((it) => handler.execute(it)));
    expect(await events.load('counter-a')).toHaveLength(50);
  });
});
