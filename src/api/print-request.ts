import type { JobDraft } from '../contexts/jobs/index.js';
import { Field } from '../http/validation/field.js';
import { printContent, type PrintContent } from '../http/validation/print-content.js';
import { dateTime, integer, text, uuid } from '../http/validation/rules.js';

const optional = { optional: true } as const;

/** A print request of a client, the same on every surface (contract, sections 4.3 and 4.4). */
export class PrintRequest {
  @Field(uuid()) printer_id!: string;
  @Field(printContent()) content!: PrintContent;
  @Field(integer(1, 20), { optional: true, default: 1 }) copies: number = 1;
  @Field(text({ max: 120 }), optional) external_id?: string;
  @Field(text({ max: 160 }), optional) title?: string;
  @Field(dateTime(), { optional: true, description: 'In the future, at most 30 days away' })
  expires_at?: string;
}

export function draftOf(accountId: string, source: JobDraft['source'], request: PrintRequest): JobDraft {
  const { content } = request;
  return {
    accountId,
    source,
    printerId: request.printer_id,
    contentType: content.type,
    content: content.bytes,
    contentHash: content.sha256,
    copies: request.copies,
    externalId: request.external_id,
    title: request.title,
    expiresAt: request.expires_at,
  };
}
