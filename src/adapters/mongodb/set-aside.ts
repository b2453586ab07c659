import type { Collection, Db } from 'mongodb';
import type { DeadLetter } from '../../ports/view-writer.port.js';
import { insisting } from './mongo-errors.js';
import type { Place } from './view-places.js';

interface LetterRow extends DeadLetter {
  /** Place and event: kept once. */
  readonly _id: string;
}

/** The events that builds do without. */
export class SetAside {
  private readonly letters: Collection<LetterRow>;

  constructor(db: Db) {
    this.letters = db.collection('dead_letters');
  }

  async prepare(): Promise<void> {
    await this.letters.createIndex({ place: 1 });
  }

  async keep(letter: DeadLetter): Promise<void> {
    const filter = { _id: `${letter.place} ${letter.eventId}` };
    await insisting(() => this.letters.updateOne(filter, { $setOnInsert: letter }, { upsert: true }));
  }

  count(place: Place): Promise<number> {
    return this.letters.countDocuments({ place });
  }

  async clear(place: Place): Promise<void> {
    await this.letters.deleteMany({ place });
  }
}
