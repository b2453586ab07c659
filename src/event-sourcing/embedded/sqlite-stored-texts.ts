import type { Position } from '../../kernel/recorded-event.js';
import { CorruptEventError } from '../../kernel/errors.js';
import { StoredTexts, type StoredText } from '../ports/stored-texts.port.js';
import type { Connection } from './connection.js';
import { LogReader, type EventAt } from './log/log-reader.js';

export class SqliteStoredTexts extends StoredTexts {
  private readonly log: LogReader;

  constructor(reader: Connection) {
    super();
    this.log = new LogReader(reader);
  }

  async after(
    position: Position | undefined,
    max: number,
    onCorrupt?: (error: CorruptEventError) => void,
  ): Promise<readonly StoredText[]> {
    const after = Number(position ?? 0);
    if (!onCorrupt) return this.log.after(after, max);
    return this.log.eventsAfter(after, max).flatMap((event) => readable(event, onCorrupt));
  }

  async stream(name: string, from: number, max: number): Promise<readonly StoredText[]> {
    return this.log.load(name, from, max);
  }

  async at(positions: readonly Position[]): Promise<readonly (StoredText | undefined)[]> {
    return positions.map(Number).map((position) => {
      const [found] = this.log.eventsAfter(position - 1, 1);
      return found?.position === position ? found.row() : undefined;
    });
  }
}

function readable(event: EventAt, onCorrupt: (error: CorruptEventError) => void): readonly StoredText[] {
  try {
    return [event.row()];
  } catch (error) {
    if (!(error instanceof CorruptEventError)) throw error;
    onCorrupt(error);
    return [];
  }
}
