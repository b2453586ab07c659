import { idOf } from '../../../src/kernel/ids.js';
import type { RecordedEvent } from '../../../src/kernel/recorded-event.js';
import type { EventStore } from '../../../src/event-sourcing/ports/event-store.port.js';

const PAGE = 1000;
/** Counted leases of a printer: leased or accepted and not yet handed off. */
const MAX_LEASES_PER_PRINTER = 4;

const ENDS_A_LEASE = new Set([
  'LeaseLapsed',
  'LeaseReleased',
  'LeaseInvalidated',
  'JobFailed',
  'JobCompleted',
  'ManualReviewOpened',
]);

type Data = Readonly<Record<string, unknown>>;

/** State of a job after its events so far. */
interface Story {
  open: boolean;
  fence: number;
  readonly handOffs: Set<number>;
  doubtful: boolean;
  accepted: boolean;
  printerId: string;
  counted: boolean;
}

/** Violations of the promises in the stored events; empty if there are none. */
export async function brokenPromises(events: EventStore): Promise<string[]> {
  const stories = new Map<string, Story>();
  const holding = new Map<string, number>();
  const broken: string[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await events.readAll({ ...(after && { after }), max: PAGE });
    for (const event of page.filter(({ stream }) => stream.startsWith('job-'))) {
      const story = stories.get(event.stream) ?? newStory();
      stories.set(event.stream, story);
      const say = (what: string) => broken.push(`${idOf(event.stream)} at ${event.revision}: ${what}`);
      judge(story, event, say);
      count(story, event, holding, say);
    }
    if (page.length < PAGE) return broken;
    after = page.at(-1)!.position;
  }
}

function newStory(): Story {
  const handOffs = new Set<number>();
  return {
    open: false,
    fence: 0,
    handOffs,
    doubtful: false,
    accepted: false,
    printerId: '',
    counted: false,
  };
}

type Say = (what: string) => void;

function judge(story: Story, { type, data }: RecordedEvent, say: Say): void {
  JUDGEMENTS[type]?.(story, data as Data, say);
  if (ENDS_A_LEASE.has(type)) story.open = false;
}

const JUDGEMENTS: Readonly<Record<string, (story: Story, data: Data, say: Say) => void>> = {
  JobCreated(story, { printerId }) {
    story.printerId = String(printerId);
  },
  JobLeased(story, { fence }, say) {
    if (story.open) say('a lease was granted while another stood');
    if (fence !== story.fence + 1) say(`fence ${String(fence)} after ${story.fence}`);
    if (story.doubtful) say('what may have been printed was leased again without a person');
    Object.assign(story, { open: true, fence, accepted: false });
  },
  JobAccepted(story, _, say) {
    if (!story.open) say('accepted without a lease');
    story.accepted = true;
  },
  HandoffStarted(story, { fence }, say) {
    if (story.handOffs.has(Number(fence))) say(`handed off twice under fence ${String(fence)}`);
    if (!story.accepted || !story.open) say('handed off without being accepted');
    story.handOffs.add(Number(fence));
    story.doubtful = true;
  },
  JobFailed(story) {
    story.doubtful = false;
  },
  JobRequeued(story, { cause }) {
    if (cause === 'manual') story.doubtful = false;
  },
  LeaseInvalidated(story, { reason }, say) {
    if (story.accepted && reason === 'cancelled') say('cancelled after it was accepted');
  },
  JobCancelled(story, _, say) {
    if (story.open) say('cancelled while the lease stood');
  },
};

/** No printer has more leases than allowed. */
function count(
  story: Story,
  { type }: RecordedEvent,
  holding: Map<string, number>,
  say: (what: string) => void,
): void {
  const change = (by: number) => {
    const next = (holding.get(story.printerId) ?? 0) + by;
    holding.set(story.printerId, next);
    if (next > MAX_LEASES_PER_PRINTER) say(`${next} leases of its printer held at once`);
    story.counted = by > 0;
  };
  if (type === 'JobLeased') change(1);
  else if (story.counted && (type === 'HandoffStarted' || ENDS_A_LEASE.has(type))) change(-1);
}
