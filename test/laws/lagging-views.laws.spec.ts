import fc from 'fast-check';
import type { Append } from '../../src/event-sourcing/ports/event-store.port.js';
import type { AnyProjection } from '../../src/kernel/projection.js';
import type { FeedBatch } from '../../src/event-sourcing/ports/remote-event-store.port.js';
import type { ViewWriter } from '../../src/event-sourcing/ports/view-writer.port.js';
import { armed, burnt, closed, disarmed, moved, newEvent, written } from '../contract/sample-appends.js';
import { projections } from '../contract/sample-views.js';
import type { Held } from '../kit/faults.js';
import { LaggingWorld, type Worker } from '../kit/lagging-world.js';
import { project } from '../kit/projection.js';
import { passing, settled } from '../kit/settled.js';
import { TestViews } from '../kit/views.js';
import { UnavailableError } from '../../src/kernel/errors.js';

const METHODS = [
  'takeOver',
  'active',
  'begin',
  'load',
  'write',
  'advance',
  'progress',
  'activate',
  'discard',
] as const;
/** Events of the n-th note. */
const SAMPLES = [
  () => written(),
  () => moved('in'),
  () => moved('out'),
  () => closed(),
  () => burnt(),
  (n: number) => newEvent({ type: 'PagesAdded', data: { pages: [`${n}a`, `${n}b`] } }),
  (n: number) => armed(`${n}`, '2026-11-21T12:00:00.000Z'),
  (n: number) => disarmed(`${n}`),
];

/** Batch size of a feed, and the number of events repeated at each batch. */
interface Cut {
  readonly size: number;
  readonly again: number;
}

type Harm =
  | { readonly kind: 'cut off'; readonly worker: number }
  | {
      readonly kind: 'refuse' | 'lose reply' | 'hold';
      readonly worker: number;
      readonly method: (typeof METHODS)[number];
    };

type Step =
  | { readonly kind: 'append'; readonly note: number; readonly events: readonly number[] }
  | ({ readonly kind: 'start' } & Cut)
  | Harm
  | { readonly kind: 'let go' | 'lose' }
  | { readonly kind: 'verify' }
  | { readonly kind: 'rebuild'; readonly view: string }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'turns'; readonly turns: number };

const worker = fc.nat({ max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      note: fc.nat({ max: 3 }),
      events: fc.array(fc.nat({ max: SAMPLES.length - 1 }), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('start' as const),
      size: fc.integer({ min: 1, max: 4 }),
      again: fc.nat({ max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut off' as const), worker }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('refuse' as const, 'lose reply' as const, 'hold' as const),
      worker,
      method: fc.constantFrom(...METHODS),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ kind: 'let go' }, { kind: 'verify' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'lose' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rebuild' as const),
      view: fc.constantFrom(...projections.map(({ view }) => view.name)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 50, max: 2_000 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('turns' as const), turns: fc.integer({ min: 1, max: 9 }) }),
  },
);

/** Applies random faults to the projectors. */
class Ordeal {
  readonly world = new LaggingWorld();
  private readonly workers: Worker[] = [];
  private readonly held: Held[] = [];
  private furthest = '';
  private epochs = 0;
  private requests = 0;
  private due = new TestViews(projections);
  private dueAt = '';
  private readonly folds = new Map<string, string | undefined>();

  constructor() {
    this.world.read.onMoved(() => {
      expect(this.world.shown! >= this.furthest).toBe(true);
      this.furthest = this.world.shown!;
    });
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'append':
        return this.append(step.note, step.events);
      case 'start':
        return void this.start(step);
      case 'pass':
        return passing(this.world.clock, step.ms, 250);
      case 'turns':
        return settled(step.turns);
      case 'verify':
      case 'rebuild':
        return this.ask(step);
      case 'let go':
        return this.letGo();
      case 'lose':
        this.furthest = '';
        return this.world.read.lose();
      default:
        return this.harm(step);
    }
  }

  /** Every document equals the fold of its stream, and the progress skips no event. */
  expectNoWrongAnswer(): void {
    const due = this.dueViews();
    for (const projection of projections) {
      const { view } = projection;
      if (!this.world.read.active.has(view.name)) continue;
      const place = this.world.read.builds.get(this.world.read.active.get(view.name)!.location)!;
      for (const { id, revision } of due.rows(view))
        expect(this.world.read.revisionOf(place, id)).toBeGreaterThanOrEqual(revision);
      for (const [id, row] of place.documents)
        expect(JSON.stringify(row.document)).toBe(this.folded(projection, id, row.revision));
    }
  }

  /** The views as of the shown position; kept from step to step, as opening them costs most of a run. */
  private dueViews(): TestViews {
    const until = this.world.shown ?? '';
    if (until < this.dueAt) [this.due, this.dueAt] = [new TestViews(projections), ''];
    const fresh = this.world.log
      .everything()
      .filter(({ position }) => position > this.dueAt && position <= until);
    this.due.project(fresh);
    this.dueAt = until;
    return this.due;
  }

  /** A document alone as JSON. Events never change, so one fold of each revision is enough. */
  private folded(projection: AnyProjection, id: string, revision: number): string | undefined {
    const key = `${projection.view.name} ${id} ${revision}`;
    if (!this.folds.has(key)) {
      const events = this.world.log
        .everything()
        .filter((one) => projection.keysOf(one).includes(id) && one.revision <= revision);
      this.folds.set(key, JSON.stringify(project(projection, events).get(id)));
    }
    return this.folds.get(key);
  }

  /** Finally runs one undisturbed projector. */
  async end(): Promise<void> {
    this.letGo();
    await Promise.all(this.workers.map((one) => one.cutOff()));
    const last = this.start({ size: 3, again: 1 });
    this.ask({ kind: 'verify' });
    await passing(this.world.clock, 5_000, 250);
    expect(this.world.shown).toBe(this.world.head);
    expect(this.world.wrong()).toEqual([]);
    const { result } = (await last.writer.port.answerOf(`r${this.requests}`))!;
    expect(result).toMatchObject(projections.map(({ view: { name } }) => ({ name, equal: true })));
    await last.cutOff();
    expect(this.world.clock.pending).toBe(0);
    this.expectNoSurprise();
  }

  private expectNoSurprise(): void {
    for (const { errors } of this.workers)
      for (const error of errors) expect(error).toBeInstanceOf(UnavailableError);
    expect(this.workers.flatMap(({ halts }) => halts)).toEqual([]);
  }

  private async append(note: number, events: readonly number[]): Promise<void> {
    const stream = `note-${note}`;
    const revision = (await this.world.log.load(stream)).length - 1;
    const expected: Append['expected'] = revision < 0 ? 'no_stream' : revision;
    await this.world.log.append({ stream, expected, events: events.map((n) => SAMPLES[n]!(note)) });
  }

  private start(cut: Cut): Worker {
    const epoch = (this.epochs += 1);
    const fresh = this.world.worker(`w${epoch}`);
    fresh.events.distort<AsyncIterable<FeedBatch>>('subscribe', (feed) => cutUp(feed, cut));
    this.workers.unshift(fresh);
    return fresh.start(epoch);
  }

  private harm(step: Harm): void {
    const harmed = this.workers[step.worker];
    if (!harmed) return;
    if (step.kind === 'cut off') void harmed.cutOff();
    else if (step.kind === 'refuse') harmed.writer.refuse(step.method);
    else if (step.kind === 'lose reply') harmed.writer.loseReply(step.method);
    else this.held.push(harmed.writer.hold(step.method as keyof ViewWriter));
  }

  private letGo(): void {
    for (const held of this.held.splice(0)) held.letGo();
  }

  private ask(request: { kind: 'verify' } | { kind: 'rebuild'; view: string }): void {
    const id = `r${(this.requests += 1)}`;
    this.world.read.requests.set(id, { id, ...request });
  }
}

async function* cutUp(feed: AsyncIterable<FeedBatch>, { size, again }: Cut): AsyncGenerator<FeedBatch> {
  const before: FeedBatch['events'][number][] = [];
  for await (const batch of feed) {
    if (batch.events.length === 0) yield batch;
    for (let n = 0; n < batch.events.length; n += size) {
      const fresh = batch.events.slice(n, n + size);
      const events = [...before.slice(0, again), ...fresh];
      before.push(...fresh);
      yield { ...batch, events };
    }
  }
}

describe('views under random crashes, rival projectors, outages, losses and repeated batches', () => {
  it('end equal to a replay, never show a wrong document and never go back', async () => {
    const runs = Number(process.env['LAW_RUNS'] ?? 60);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        const ordeal = new Ordeal();
        for (const one of steps) {
          await ordeal.take(one);
          ordeal.expectNoWrongAnswer();
        }
        await ordeal.end();
      }),
      { numRuns: runs },
    );
  }, 600_000);
});
