import type { Collection, Db } from 'mongodb';
import { epochMs, type Clock } from '../../../kernel/time.js';
import type { MaintenanceAnswer, MaintenanceRequest } from '../../ports/view-writer.port.js';
import { LONG_CALL, retryUpsert } from './mongo-errors.js';

interface RequestRow {
  readonly _id: string;
  readonly request: MaintenanceRequest;
  readonly asked_at: Date;
  /** JSON, because results may contain any keys. */
  readonly answer?: string;
}

const KEPT_SECONDS = 24 * 3_600;

export class MaintenanceRequests {
  private readonly requests: Collection<RequestRow>;

  constructor(
    db: Db,
    private readonly clock: Clock,
  ) {
    this.requests = db.collection('maintenance_requests');
  }

  async prepare(): Promise<void> {
    await this.requests.createIndex({ asked_at: 1 }, { ...LONG_CALL, expireAfterSeconds: KEPT_SECONDS });
  }

  async add(request: MaintenanceRequest): Promise<void> {
    const asked = { request, asked_at: new Date(epochMs(this.clock.now())) };
    const once = () =>
      this.requests.updateOne({ _id: request.id }, { $setOnInsert: asked }, { upsert: true });
    await retryUpsert(once);
  }

  async open(): Promise<readonly MaintenanceRequest[]> {
    const unanswered = { answer: { $exists: false } };
    const rows = await this.requests.find(unanswered, { sort: { asked_at: 1, _id: 1 } }).toArray();
    return rows.map(({ request }) => request);
  }

  async answer({ id }: MaintenanceRequest, answer: MaintenanceAnswer): Promise<void> {
    await this.requests.updateOne({ _id: id }, { $set: { answer: JSON.stringify(answer) } });
  }

  async answerOf(id: string): Promise<MaintenanceAnswer | undefined> {
    const row = await this.requests.findOne({ _id: id });
    return row?.answer === undefined ? undefined : (JSON.parse(row.answer) as MaintenanceAnswer);
  }
}
