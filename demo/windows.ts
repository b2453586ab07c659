import { Cupsd } from '../test/kit/cupsd.js';
import { WindowsAgent } from '../test/kit/windows/windows-agent.js';
import { windowsMissing, Wine } from '../test/kit/windows/wine.js';
import type { Printer, RemotePrinting } from '../sdk/src/index.js';
import { eventually } from './api.js';
import { label, receipt } from './document.js';
import { print, readyPrinter, watch } from './printing.js';
import { bold, good, say, step } from './screen.js';

/** Queues of the computer: `archive` takes PDF itself. */
const QUEUES = ['labels', 'office', 'archive'];
const DIRECT = 'archive';

/** Reason why the demonstration cannot run here; undefined if it can. */
export const missing = windowsMissing;

/** A Windows computer with the Agent: Wine, whose printers are the queues of a private CUPS. */
export class WindowsComputer {
  private cupsd: Cupsd | undefined;
  private wine: Wine | undefined;
  private agent: WindowsAgent | undefined;
  private starting: Promise<void> | undefined;
  private removed = false;

  /** Enrols the Agent. `onDeath` is called if it ends by itself. */
  start(url: string, token: string, onDeath: (why: Error) => void): Promise<void> {
    this.starting = this.boot(url, token, onDeath);
    return this.starting;
  }

  /** Prints a label twice, then a receipt for each kind of printer; resolves to the id of the last job. */
  async printAll(service: RemotePrinting): Promise<string> {
    const twice = label();
    await this.printOn(
      service,
      'labels',
      { file: 'label.zpl', type: 'raw', bytes: twice, copies: 2 },
      (bytes) => {
        if (!bytes.equals(Buffer.concat([twice, twice]))) return undefined;
        return `${bytes.length} bytes, twice the ${twice.length} that were sent`;
      },
    );
    const pdf = await receipt('Windows');
    const document = { file: 'receipt.pdf', type: 'pdf', bytes: pdf } as const;
    await this.printOn(service, 'office', document, (bytes, name) => {
      const postScript = bytes.toString('latin1');
      const pages = postScript.match(/^%%Page: /gm)?.length;
      const isDrawn = postScript.startsWith('%!PS') && postScript.includes(`%%Title: ${name}`);
      return isDrawn && pages === 1 ? `${pages} page drawn, ${bytes.length} bytes of PostScript` : undefined;
    });
    return this.printOn(service, DIRECT, document, (bytes) =>
      bytes.equals(pdf) ? `${bytes.length} bytes, byte for byte what was sent` : undefined,
    );
  }

  /** Last lines of the Agent's log. */
  async lastWords(lines = 20): Promise<string> {
    const log = (await this.agent?.output()) ?? 'not started';
    return log.trimEnd().split('\n').slice(-lines).join('\n');
  }

  /** Ends all that was started, also in the middle of the start. */
  async remove(): Promise<void> {
    this.removed = true;
    await this.starting?.catch(() => undefined);
    await this.agent?.kill();
    await this.wine?.remove();
    await this.cupsd?.remove();
  }

  private async boot(url: string, token: string, onDeath: (why: Error) => void): Promise<void> {
    this.cupsd = await Cupsd.start();
    for (const queue of QUEUES) await this.cupsd.addQueue(queue);
    step('cups', this.cupsd.address, `queues ${QUEUES.join(', ')}`);
    this.wine = await Wine.start(this.cupsd.address);
    this.agent = await WindowsAgent.prepare(this.wine, url, token);
    this.agent.start('--direct-pdf', DIRECT);
    step('agent', 'in Node for Windows under Wine', this.wine.root);
    void this.agent.end().then(() => {
      if (!this.removed) onDeath(new Error('the Agent ended by itself'));
    });
  }

  /** `judge` describes what the printer received, or answers undefined if that is not what the document says. */
  private async printOn(
    service: RemotePrinting,
    queue: string,
    document: Omit<Parameters<typeof print>[2], 'title'>,
    judge: (bytes: Buffer, documentName: string) => string | undefined,
  ): Promise<string> {
    const printer: Printer = await readyPrinter(service, queue, ({ name }) => name === queue);
    say();
    step('printer', `${printer.name} on ${printer.computer_name}`, printer.printer_code);
    const { job_id: jobId } = await print(service, printer, { ...document, title: document.file });
    await watch(service, jobId);
    const received = await eventually('the document at the printer', 20_000, async () => {
      const found = await this.cupsd?.printed();
      return found?.find(({ documentName }) => documentName.startsWith(`svc:${jobId}:`));
    });
    const verdict = judge(received.bytes, received.documentName);
    if (verdict === undefined) throw new Error(`${queue} received something else than ${document.file}`);
    good(`${bold('Printed')} as ${received.documentName}: ${verdict}`);
    return jobId;
  }
}
