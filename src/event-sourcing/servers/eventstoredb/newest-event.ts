import {
  END,
  type AllStreamResolvedEvent,
  type ReadPosition,
  type RecordedEvent as ClientEvent,
} from '@eventstore/db-client';
import { CoalescedRun } from '../../../async/repeated-run.js';
import type { Position } from '../../../kernel/recorded-event.js';
import { oursOf, positionOf, type LogPosition } from './stored-events.js';

const PAGE = 500;
/** The first page is small: most often, few system events follow our newest. */
const FIRST_PAGE = 16;

/** What a search has found so far. */
interface Searched {
  /** Position and id of the newest record then. */
  readonly end: LogPosition;
  readonly id: string;
  readonly newest?: Position | undefined;
  /** None was found between `end` and here, where the search goes on; absent: it is over. */
  readonly rest?: LogPosition;
}

/** Reads backwards, exclusive of `from`. */
type ReadBack = (from: ReadPosition, max: number) => Promise<AllStreamResolvedEvent[]>;

/**
 * Looks back to the end of the search before it: a log may end with any number of records that are not ours, as the
 * server's own statistics. A search is shared by all callers, outlasts their deadlines, and goes on after a failed read.
 */
export class NewestEventSearch {
  private readonly searches = new Map<string, CoalescedRun<Position | undefined>>();
  private readonly searched = new Map<string, Searched>();

  constructor(private readonly readBack: ReadBack) {}

  /** @param types default: all */
  ofTypes(types: readonly string[] = []): Promise<Position | undefined> {
    const key = types.join();
    const search = this.searches.get(key) ?? new CoalescedRun(() => this.search(key, types));
    this.searches.set(key, search);
    return search.request();
  }

  private async search(key: string, types: readonly string[]): Promise<Position | undefined> {
    let before = this.searched.get(key);
    let end: AllStreamResolvedEvent | undefined;
    let from: ReadPosition = END;
    for (let size = FIRST_PAGE; ; size = PAGE) {
      const page: AllStreamResolvedEvent[] = await this.readBack(from, size);
      end ??= page[0];
      if (!end) return undefined;
      const { id, position } = recordOf(end);
      const found = page.find((one) => isOneOf(one, types) || isEnd(one, before));
      const isNewest = found !== undefined && isOneOf(found, types);
      if (isNewest || (found ? !before!.rest : page.length < size)) {
        const newest = isNewest ? positionOf(logPositionOf(found)) : found && before!.newest;
        this.searched.set(key, { end: position, id, newest });
        return newest;
      }
      from = found ? before!.rest! : logPositionOf(page.at(-1)!);
      if (found) before = undefined;
      // Keeps the progress of a search only from here on; interrupted earlier, it begins again at the end of the log.
      if (!before) this.searched.set(key, { end: position, id, rest: from });
    }
  }
}

const recordOf = ({ event, link }: AllStreamResolvedEvent) =>
  (link ?? event) as ClientEvent & { readonly position: LogPosition };

export const logPositionOf = (resolved: AllStreamResolvedEvent): LogPosition => recordOf(resolved).position;

function isOneOf(resolved: AllStreamResolvedEvent, types: readonly string[]): boolean {
  const event = oursOf(resolved);
  return event !== undefined && (types.length === 0 || types.includes(event.type));
}

/** Before the same record, a log holds the same records. */
function isEnd(resolved: AllStreamResolvedEvent, { end, id }: Partial<Searched> = {}): boolean {
  const { position, ...record } = recordOf(resolved);
  return (
    end !== undefined &&
    record.id === id &&
    position.commit === end.commit &&
    position.prepare === end.prepare
  );
}
