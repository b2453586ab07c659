import { epochMs, type Instant } from '../../kernel/time.js';
import type { CheckpointStore, EventStore } from '../ports/event-store.port.js';
import type { Mark } from './index-tail.js';

/** How far the index is stored, as its checkpoint says. */
export interface StoredIndex {
  /** The checkpoint itself. */
  readonly text: string | undefined;
  /** Begins the owner of each block: those of other builds are never read. '' in earlier releases. */
  readonly build: string;
  /** The last stored event; undefined if the build has only begun. */
  readonly mark: Mark | undefined;
}

const NOTHING: Mark = { position: '', stream: '-', revision: 0, id: '-' };

export function textOf(build: string, { position, stream, revision, id }: Mark = NOTHING): string {
  return `${position} ${stream} ${revision} ${id} ${build}`;
}

export function storedIndex(text: string | undefined): StoredIndex {
  const [position = '', stream = '', revision = '', id = '', build = ''] = text?.split(' ') ?? [];
  const mark = position === '' ? undefined : { position, stream, revision: Number(revision), id };
  return { text, build, mark };
}

/** Without a mark if nothing is stored, or what belongs to another history than that of the event store. */
export async function readStored(
  name: string,
  { checkpoints, events }: { readonly checkpoints: CheckpointStore; readonly events: EventStore },
): Promise<StoredIndex> {
  const stored = storedIndex(await checkpoints.get(name));
  const { mark } = stored;
  const [event] = mark ? await events.load(mark.stream, { from: mark.revision, max: 1 }) : [];
  const isOurs = event !== undefined && event.id === mark?.id && event.position === mark.position;
  return isOurs ? stored : { ...stored, mark: undefined };
}

/** Later builds sort after earlier ones, also if their checkpoint was lost meanwhile. */
export function buildAfter(before: string, now: Instant): string {
  return `~${Math.max(epochMs(now), Number(before.slice(1)) + 1)}`;
}

export const ownerIn = (build: string, owner: string): string => (build === '' ? owner : `${build}.${owner}`);
