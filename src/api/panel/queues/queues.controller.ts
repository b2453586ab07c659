import { Body, Controller, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { ClearQueue, MoveQueue, type QueueStepped } from '../../../contexts/jobs/index.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { Cursors, type CursorScope } from '../../../http/cursors.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field, orNull } from '../../../http/validation/field.js';
import { boolean, count, integer, object, objects, text, uuid } from '../../../http/validation/rules.js';
import { Clock, type Instant } from '../../../kernel/time.js';
import { CURSOR, CursorLists, CursorQuery } from '../../lists.js';
import { orRefuse } from '../../errors/answers.js';
import { jobResource, PrintJob } from '../../resources/print-job.resource.js';
import { Printer, printerResource } from '../../resources/printer.resource.js';
import { panel } from '../panel.surface.js';
import type { MemberCaller, MemberPrincipal } from '../session.authenticator.js';
import { LateJob, lateJobResource } from './late-job.resource.js';

export class QueueQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 50 }) limit: number = 50;
}

export class PrinterQueue {
  @Field(object(() => Printer)) printer!: Printer;
  @Field(count, { description: 'Queued, leased or to be tried again' }) waiting!: number;
  @Field(count, { description: 'Accepted by the Agent or in the spooler' }) at_agent!: number;
  @Field(object(() => LateJob), { nullable: true, description: 'null if the printer is not behind' })
  held_up_by!: LateJob | null;
  @Field(objects(() => PrintJob, 100)) items!: readonly PrintJob[];
  @Field(boolean()) has_more!: boolean;
  @Field(text({ max: 256 }), orNull) next_cursor!: string | null;

  static readonly example: PrinterQueue = {
    ...{ printer: Printer.example, waiting: 1, at_agent: 0, held_up_by: null },
    ...{ items: [PrintJob.example], has_more: false, next_cursor: null },
  };
}

class ClearBody {
  @Field(text(CURSOR), { optional: true, description: 'next_cursor of the answer before' }) cursor?: string;
}

export class MoveBody extends ClearBody {
  @Field(uuid(), { description: 'A printer of the account that is online' }) to_printer_id!: string;
}

/** At most 1,000 jobs are decided at once; further ones with the cursor. */
export class QueueStep {
  @Field(count, { description: 'Jobs that were cancelled, or moved' }) done!: number;
  @Field(count, { description: 'Jobs that an Agent has taken, or that the other printer cannot print' })
  left!: number;
  @Field(text({ max: 256 }), { nullable: true, description: 'null after the last jobs' })
  next_cursor!: string | null;

  static readonly example: QueueStep = { done: 12, left: 0, next_cursor: null };
}

const Operation = operationsOf(panel, { tag: 'Printers', limit: { perMinute: 60 } });

@Controller()
export class PanelQueuesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly jobs: JobQueries,
    private readonly printers: PrinterQueries,
    private readonly lists: CursorLists,
    private readonly cursors: Cursors,
    private readonly liveness: LivenessStore,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'getPrinterQueue',
    route: 'GET /v1/panel/printers/:printer_id/queue',
    summary: 'Get a printer with its queue',
    description: 'Jobs that wait, and those that the Agent or the spooler has, oldest first.',
    scopes: ['printers:read', 'jobs:read'],
    limit: { perMinute: 120 },
    query: QueueQuery,
    success: ok('The printer and a page of its queue.', PrinterQueue),
  })
  async queue(
    @Param('printer_id') printerId: string,
    @Query() query: QueueQuery,
    @Caller() caller: MemberPrincipal,
  ) {
    const { accountId } = caller;
    const printer = await this.printer(accountId, printerId);
    const list = this.lists.open(`queue of ${printerId}`, caller, accountId, query);
    const { documents, ...page } = await list.read((keyset) =>
      this.jobs.listQueue(accountId, printerId, keyset),
    );
    const { waiting, atAgent } = await this.jobs.countQueue(accountId, printerId);
    const now = this.clock.now();
    // Leased jobs are at the computer, but count as waiting.
    const unfinished = { waiting, held: waiting + atAgent };
    const { holdUp } = await this.jobs.firstUnfinished(printer, unfinished, now);
    const [seen] = await this.liveness.lastHeartbeats([`computer:${printer.computer_id}`]);
    const items = documents.map((job) => jobResource(job, now));
    return {
      ...{ printer: printerResource(printer, seen), waiting, at_agent: atAgent },
      held_up_by: holdUp ? lateJobResource(holdUp) : null,
      ...{ items, ...page },
    };
  }

  @Operation({
    id: 'clearPrinterQueue',
    route: 'POST /v1/panel/printers/:printer_id/clear',
    summary: 'Cancel what waits for a printer',
    description: 'Cancels jobs created before the first request that certainly were not handed off.',
    scopes: ['jobs:cancel'],
    body: ClearBody,
    bodyOptional: true,
    requestExample: {},
    success: ok('How many were cancelled.', QueueStep),
  })
  async clear(
    @Param('printer_id') printerId: string,
    @Body() { cursor }: ClearBody,
    @Caller() { accountId, by }: MemberCaller,
  ) {
    await this.printer(accountId, printerId);
    const scope = { list: 'clear', account: accountId, printer: printerId };
    const at = this.clock.now();
    const begun = this.begun(scope, cursor, at);
    const step = await this.commands.execute(new ClearQueue({ accountId, printerId, ...begun, at, by }));
    return this.answer(scope, begun, step);
  }

  @Operation({
    id: 'movePrinterQueue',
    route: 'POST /v1/panel/printers/:printer_id/move',
    summary: 'Move what waits for a printer to another one',
    description:
      'Moves jobs created before the first request that certainly were not handed off and that the other printer can ' +
      'print. The history of each names both printers.',
    scopes: ['jobs:cancel', 'jobs:create'],
    body: MoveBody,
    requestExample: { to_printer_id: Printer.example.printer_id },
    success: ok('How many were moved.', QueueStep),
    errors: ['SVC_VIRTUAL_PRINTERS_ONLY', 'PRINTER_NOT_READY'],
  })
  async move(
    @Param('printer_id') printerId: string,
    @Body() { to_printer_id: toPrinterId, cursor }: MoveBody,
    @Caller() { accountId, by }: MemberCaller,
  ) {
    await this.printer(accountId, printerId);
    const scope = { list: 'move', account: accountId, printer: printerId, to: toPrinterId };
    const at = this.clock.now();
    const begun = this.begun(scope, cursor, at);
    const command = new MoveQueue({ accountId, printerId, toPrinterId, ...begun, at, by });
    return this.answer(scope, begun, orRefuse('panel', await this.commands.execute(command)));
  }

  /** A cursor carries the time of the first request, so that jobs created meanwhile stay. */
  private begun(scope: CursorScope, cursor: string | undefined, now: Instant): Begun {
    if (cursor === undefined) return { createdUntil: now };
    const [createdUntil, after] = this.cursors.open(scope, cursor)?.split(' ') ?? [];
    if (createdUntil === undefined || after === undefined)
      throw new ApiError('invalid', `cursor ${CURSOR.message}.`);
    return { createdUntil, after };
  }

  private answer(scope: CursorScope, { createdUntil }: Begun, { done, left, next }: QueueStepped): QueueStep {
    const next_cursor = next === undefined ? null : this.cursors.seal(scope, `${createdUntil} ${next}`);
    return { done, left, next_cursor };
  }

  private async printer(accountId: string, printerId: string) {
    return orNotFound(await this.printers.getPrinter(accountId, printerId), 'PRINTER_NOT_FOUND');
  }
}

interface Begun {
  readonly createdUntil: Instant;
  readonly after?: string;
}
