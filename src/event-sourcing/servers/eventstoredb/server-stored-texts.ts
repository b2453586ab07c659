import type { CorruptEventError } from '../../../kernel/errors.js';
import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import { StoredTexts, type StoredText } from '../../ports/stored-texts.port.js';
import type { LogReader } from './log-reader.js';

/** Each call is a read of its own. */
const READS_AT_ONCE = 16;

/** The client gives parsed JSON, of which `JSON.stringify` gives back the text that the service wrote. */
export class ServerStoredTexts extends StoredTexts {
  /** @param repeated as all reads of the store */
  constructor(
    private readonly reader: LogReader,
    private readonly repeated: <T>(read: () => Promise<T>) => Promise<T>,
  ) {
    super();
  }

  async after(
    position: Position | undefined,
    max: number,
    onCorrupt?: (error: CorruptEventError) => void,
  ): Promise<readonly StoredText[]> {
    return (await this.repeated(() => this.reader.all(position, max, onCorrupt))).map(textOf);
  }

  async stream(name: string, from: number, max: number): Promise<readonly StoredText[]> {
    return (await this.repeated(() => this.reader.stream(name, from, max))).map(textOf);
  }

  async at(positions: readonly Position[]): Promise<readonly (StoredText | undefined)[]> {
    const found: (StoredText | undefined)[] = [];
    for (let from = 0; from < positions.length; from += READS_AT_ONCE) {
      const part = positions.slice(from, from + READS_AT_ONCE);
      const events = await Promise.all(part.map((one) => this.repeated(() => this.reader.at(one))));
      found.push(...events.map((event) => event && textOf(event)));
    }
    return found;
  }
}

function textOf({ data, metadata, ...event }: RecordedEvent): StoredText {
  return { ...event, data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
}
