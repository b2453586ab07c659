import type { PrintOptions, Receipt } from '../../service/protocol.js';
import { NotSubmitted } from '../provider.js';
import { queueName } from '../queue-names.js';
import type { Channel, DocumentTask, Done, Notice, Order } from './document-messages.js';
import { marginsOf } from './driver-facts.js';
import { bandsOf, placementOf, POINTS_PER_INCH, type Sheet } from '../pdf/page-layout.js';
import { textPdf, type TextPage } from '../text/text-pages.js';
import { printPages } from './page-printing.js';
import { PdfDocument } from '../pdf/pdf-renderer.js';
import { planPrinting, type PrintPlan } from './print-plan.js';
import { SpoolerError, type Canvas, type OpenQueue, type Output, type SpoolerApi } from './spooler-api.js';
import { SystemFonts } from '../fonts/system-fonts.js';

/** Bytes of one WritePrinter call, so that a large document does not occupy the spooler's pipe at once. */
const CHUNK = 256 * 1024;
/** A4 at a resolution that shows whether a page can be drawn, for a hundredth of its pixels. */
const CHECK_SHEET: Sheet = {
  ...{ width: 298, height: 421, dpiX: 36, dpiY: 36, color: true },
  printable: { left: 0, top: 0, width: 298, height: 421 },
};
/** A long document begins to print after this much of the check. */
const CHECK_MS = 60_000;

/** A document on its way to a queue. */
interface Sending {
  readonly output: Output;
  send(): Promise<Receipt | undefined>;
}

/** Checks and prints the documents that the Agent sends, one at a time, in a process apart from it. */
export class DocumentServer {
  private task: DocumentTask | undefined;
  private pieces: Uint8Array[] = [];
  private checked: PdfDocument | undefined;
  private goOn: ((on: boolean) => void) | undefined;
  private begun = false;

  constructor(
    private readonly agent: Channel<Notice, Order>,
    /** Loaded by the first document that is printed. */
    private readonly spooler: () => Promise<SpoolerApi>,
    private readonly fonts = new SystemFonts(),
  ) {
    agent.on('message', (order: Order) => this.receive(order));
  }

  private receive(order: Order): void {
    switch (order.type) {
      case 'open':
        this.task = order.task;
        this.pieces = [];
        this.checked = undefined;
        return;
      case 'piece':
        return void this.pieces.push(order.bytes);
      case 'go':
        return this.goOn?.(order.on);
      case 'describe':
        return void this.run(() => this.describe(order.queue));
      default:
        void this.run(() => (order.type === 'check' ? this.check() : this.print()));
    }
  }

  private async run(work: () => Promise<Omit<Done, 'type'>>): Promise<void> {
    try {
      this.tell({ type: 'done', ...(await work()) });
    } catch (error) {
      const { name, message, failureCode, failureClass } = error as NotSubmitted;
      this.tell({ type: 'failed', failure: { name, message, failureCode, failureClass } });
    }
  }

  private async describe(queue: string): Promise<Omit<Done, 'type'>> {
    const spooler = await this.spooler();
    const facts = await spooler.facts(queue);
    const canvas = await spooler.openCanvas(queue);
    await canvas.close();
    return { facts: { ...facts, margins: marginsOf(canvas.sheet) } };
  }

  /**
   * Settles the options, and draws each page once, small: whatever the driver or PDFium cannot bear shows here, before
   * the hand-off.
   */
  private async check(): Promise<Omit<Done, 'type'>> {
    const task = this.openTask();
    const until = performance.now() + CHECK_MS;
    const plan = await this.planned(task);
    const document = plan?.document ?? (await this.pdf(task, CHECK_SHEET));
    const pages = plan ? plan.sides.map(({ page }) => page) : Array(document.pageCount).keys();
    for (const index of new Set(pages)) {
      if (index === undefined) continue;
      if (performance.now() >= until) break;
      await this.drawing(() => {
        const page = document.openPage(index);
        const placement = placementOf(page.size, CHECK_SHEET);
        for (const band of bandsOf(placement)) page.draw(placement, band);
        page.close();
      });
      this.tell({ type: 'moved' });
    }
    if (task.contentType === 'pdf') this.checked = document;
    return {};
  }

  /** Undefined without options, or if the queue does not answer: then the hand-off tells. */
  private async planned(task: DocumentTask): Promise<PrintPlan | undefined> {
    if (!task.options) return undefined;
    const spooler = await this.spooler();
    try {
      const canvas = await spooler.openCanvas(task.printer).catch(refuse);
      return await this.plan(canvas, task).finally(() => canvas.close());
    } catch (error) {
      if (error instanceof NotSubmitted && error.failureClass === 'temporary') return undefined;
      throw error;
    }
  }

  /** Throws `NotSubmitted`. */
  private async plan(canvas: Canvas, task: DocumentTask): Promise<PrintPlan> {
    const spooler = await this.spooler();
    const facts =
      task.facts ?? (needsFacts(task.options) ? await spooler.facts(task.printer).catch(refuse) : undefined);
    const open = async (sheet: Sheet): Promise<PdfDocument> => this.checked ?? this.pdf(task, sheet);
    return planPrinting(canvas, { ...task, facts, open });
  }

  private async print(): Promise<Omit<Done, 'type'>> {
    const task = this.openTask();
    let receipt: Receipt | undefined;
    this.begun = false;
    const { output, send } = await this.sending(task);
    try {
      const id = await output.startDocument(queueName(task)).catch(refuse);
      try {
        await this.ask({ type: 'created', spoolerJobId: id });
        receipt = await send();
      } catch (error) {
        await output.deleteJob(id).catch(() => undefined);
        if (!this.begun && error instanceof SpoolerError) refuse(error);
        throw error;
      }
      this.tell({ type: 'ending' });
      await output.endDocument();
    } finally {
      await output.close().catch(() => undefined);
    }
    return { receipt };
  }

  private openTask(): DocumentTask {
    if (!this.task) throw new Error('no document is open');
    return this.task;
  }

  /** Opens the queue as its printer takes the document. One that cannot be drawn is refused before a job exists. */
  private async sending(task: DocumentTask): Promise<Sending> {
    const spooler = await this.spooler();
    if (!task.drawn) {
      const queue = await spooler.open(task.printer).catch(refuse);
      return { output: queue, send: () => this.printCopies(queue, task.copies) };
    }
    const canvas = await spooler.openCanvas(task.printer).catch(refuse);
    try {
      const plan = await this.plan(canvas, task);
      const steps = {
        draw: <T>(draw: () => T) => this.drawing(draw),
        beforeBytes: () => this.begin(),
        moved: () => this.tell({ type: 'moved' }),
      };
      return { output: canvas, send: () => printPages(canvas, plan, steps) };
    } catch (error) {
      await canvas.close().catch(() => undefined);
      throw error;
    }
  }

  /** Windows ignores copies for raw data, so the bytes are repeated within one document, each as a page of its own. */
  private async printCopies(queue: OpenQueue, copies: number): Promise<undefined> {
    const bytes = Buffer.concat(this.pieces);
    for (let copy = 0; copy < copies; copy++) {
      await queue.startPage();
      for (let offset = 0; offset < bytes.length;) {
        await this.begin();
        const accepted = await queue.write(bytes.subarray(offset, offset + CHUNK));
        if (accepted === 0) throw new Error('WritePrinter accepted no bytes');
        offset += accepted;
        this.tell({ type: 'moved' });
      }
      await queue.endPage();
    }
    return undefined;
  }

  private pdf({ contentType }: DocumentTask, sheet: Sheet): Promise<PdfDocument> {
    return this.drawing(async () => {
      const bytes = Buffer.concat(this.pieces);
      return PdfDocument.open(
        contentType === 'text' ? await textPdf(bytes, printablePage(sheet), this.fonts) : bytes,
        this.fonts,
      );
    });
  }

  /** Lets the Agent measure the time of a step that may not end. */
  private async drawing<T>(step: () => T | Promise<T>): Promise<T> {
    this.tell({ type: 'drawing' });
    try {
      return await step();
    } catch (error) {
      throw error instanceof NotSubmitted ? error : renderFailed(String(error));
    } finally {
      this.tell({ type: 'spooling' });
    }
  }

  private async begin(): Promise<void> {
    if (this.begun) return;
    await this.ask({ type: 'begin' });
    this.begun = true;
  }

  private async ask(question: Notice): Promise<void> {
    const on = await new Promise<boolean>((resolve) => {
      this.goOn = resolve;
      this.tell(question);
    });
    if (!on) throw new Error('stopped by the Agent');
  }

  private tell(notice: Notice): void {
    this.agent.send(notice, () => undefined); // Without the Agent this process ends by itself.
  }
}

/** Options that choose from what the driver offers. */
function needsFacts(options?: PrintOptions): boolean {
  const { paper, tray, resolution_dpi: dpi, scale } = options ?? {};
  return paper !== undefined || tray !== undefined || dpi !== undefined || scale === 'actual';
}

function printablePage({ printable, dpiX, dpiY }: Sheet): TextPage {
  return {
    width: (printable.width / dpiX) * POINTS_PER_INCH,
    height: (printable.height / dpiY) * POINTS_PER_INCH,
    margins: { top: 0, right: 0, bottom: 0, left: 0 },
  };
}

/** Nothing can change that this document cannot be drawn. */
export function renderFailed(why: string): NotSubmitted {
  return new NotSubmitted('RENDER_FAILED', `cannot draw this document: ${why}`, 'permanent');
}

/** Before the first byte nothing can have been printed. */
export function refuse(error: unknown): never {
  const unreachable = !(error instanceof SpoolerError) || error.unreachable;
  throw new NotSubmitted(
    unreachable ? 'SPOOLER_UNAVAILABLE' : 'SPOOLER_REFUSED',
    error instanceof Error ? error.message : String(error),
  );
}
