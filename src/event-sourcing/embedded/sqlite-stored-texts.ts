import type { Position } from '../../kernel/recorded-event.js';
import { StoredTexts, type StoredText, type TextPage } from '../ports/stored-texts.port.js';
import type { Connection } from './connection.js';
import { LogReader } from './log/log-reader.js';

export class SqliteStoredTexts extends StoredTexts {
  private readonly log: LogReader;

  constructor(reader: Connection) {
    super();
    this.log = new LogReader(reader);
  }

  async after(
    position: Position | undefined,
    max: number,
    unwanted: readonly string[] = [],
  ): Promise<TextPage> {
    return this.log.wantedAfter(Number(position ?? 0), max, unwanted);
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
