import { Cupsd } from '../test/kit/cupsd.js';
import { officePpd } from '../test/kit/windows/office-ppd.js';
import { WindowsAgent } from '../test/kit/windows/windows-agent.js';
import { windowsMissing, Wine } from '../test/kit/windows/wine.js';
import type { Printer, RemotePrinting } from '../sdk/src/index.js';
import { eventually } from './api.js';
import { label, receipt } from './document.js';
import { print, readyPrinter, watch } from './printing.js';
import { bold, good, say, step } from './screen.js';

/** Queues of the computer: `office` has a driver with papers and duplex, and `archive` takes PDF itself. */
const RAW_QUEUES = ['labels', 'archive'];
const OFFICE = 'office';
const DIRECT = 'archive';
/** What the two receipts must confirm. */
const DUPLEX = { paper: 'A4', duplex: 'long-edge' } as const;
const SMALL = { paper: 'A5', scale: 'fit' } as const;

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

  /** Prints a label twice, then a document with options on each kind of printer; resolves to the id of the last job. */
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
    for (const [options, feature] of [
      [DUPLEX, '*Duplex DuplexNoTumble'],
      [SMALL, '*PageSize A5'],
    ] as const)
      await this.printOn(service, OFFICE, { ...document, options }, (bytes, title) => {
        const postScript = bytes.toString('latin1');
        const pages = postScript.match(/^%%Page: /gm)?.length;
        const isDrawn = postScript.startsWith('%!PS') && postScript.includes(`%%Title: ${title}`);
        const isAsAsked = isDrawn && pages === 1 && postScript.includes(feature);
        return isAsAsked ? `${pages} page drawn with ${feature}, ${bytes.length} bytes` : undefined;
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
    for (const queue of RAW_QUEUES) await this.cupsd.addQueue(queue);
    await this.cupsd.addPrinter(OFFICE, officePpd());
    this.wine = await Wine.start(this.cupsd.address);
    step('cups', this.cupsd.address, `queues ${[...RAW_QUEUES, OFFICE].join(', ')}`);
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
    judge: (bytes: Buffer, title: string) => string | undefined,
  ): Promise<string> {
    const printer: Printer = await readyPrinter(service, queue, ({ name }) => name === queue);
    say();
    step('printer', `${printer.name} on ${printer.computer_name}`, printer.printer_code);
    const { job_id: jobId } = await print(service, printer, { ...document, title: document.file });
    const { receipt } = await watch(service, jobId);
    if (receipt) step('receipt', JSON.stringify(receipt.applied), `${receipt.ignored.length} ignored`);
    if (document.options && receipt?.applied.sheet_mm === undefined)
      throw new Error(`no receipt of ${jobId}`);
    const received = await eventually('the document at the printer', 20_000, async () => {
      const found = await this.cupsd?.printed();
      return found?.find(({ documentName }) => documentName.startsWith(`svc:${jobId}:`));
    });
    const verdict = judge(received.bytes, received.title);
    if (verdict === undefined) throw new Error(`${queue} received something else than ${document.file}`);
    good(`${bold('Printed')} as ${received.title}: ${verdict}`);
    return jobId;
  }
}
