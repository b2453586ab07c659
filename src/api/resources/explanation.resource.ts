import { ACTIONS, CAUSES, type Explanation, VERDICTS } from '../../contexts/jobs/index.js';
import { Field } from '../../http/validation/field.js';
import { boolean, dateTime, objects, oneOf, text, uuid } from '../../http/validation/rules.js';
import type { Instant } from '../../kernel/time.js';

const sentence = text({ max: 1_000 });

/** An event, and what it says about the job. Names stand in quotation marks, times are instants. */
class Evidence {
  @Field(uuid()) event_id!: string;
  @Field(dateTime()) at!: Instant;
  @Field(sentence) text!: string;
}

class NextStep {
  @Field(oneOf(...Object.keys(ACTIONS))) action!: keyof typeof ACTIONS;
  @Field(text({ max: 80 }), {
    optional: true,
    description: 'operationId of what does it: of the Integration API, the panel or operators',
  })
  operation?: string;
  @Field(sentence) text!: string;
}

/** Why a job has not printed, and what to do, without the evidence: partners see no names (docs/partner-api.md). */
export class JobHelp {
  @Field(oneOf(...VERDICTS)) verdict!: Explanation['verdict'];
  @Field(boolean(), { description: 'Of any attempt' }) may_have_printed!: boolean;
  @Field(oneOf(...Object.keys(CAUSES))) cause!: Explanation['cause'];
  @Field(dateTime(), { description: 'When the cause began' }) since!: Instant;
  @Field(objects(() => NextStep, 10), { description: 'In this order' }) next_steps!: readonly NextStep[];

  static readonly example: JobHelp = {
    verdict: 'blocked',
    may_have_printed: false,
    cause: 'printer_paused',
    since: '2026-11-21T12:00:00.000Z',
    next_steps: [{ action: 'resume_printer', ...ACTIONS.resume_printer }],
  };
}

/** docs/reference/explanations.md has all words. */
export class JobExplanation extends JobHelp {
  @Field(objects(() => Evidence, 20), { description: 'The cause first' }) evidence!: readonly Evidence[];

  static override readonly example: JobExplanation = {
    ...JobHelp.example,
    evidence: [
      {
        event_id: '01990000-0000-7000-8000-00000000000a',
        at: JobHelp.example.since,
        text: '“Label printer” is paused.',
      },
    ],
  };
}
