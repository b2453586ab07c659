import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { attribute, groupsOf } from '../../agent/printers/ipp/ipp-client.js';
import {
  decodeResponse,
  encodeRequest,
  Tag,
  type IppAttribute,
} from '../../agent/printers/ipp/ipp-message.js';

const CREATE_JOB = 0x0005;
const SEND_DOCUMENT = 0x0006;
const GET_JOB_ATTRIBUTES = 0x0009;
const GET_PRINTER_ATTRIBUTES = 0x000b;
const NAME_LENGTH = 40;

const PDF = [
  attribute('document-format-supported', Tag.mimeType, 'application/pdf'),
  attribute('printer-uuid', Tag.uri, 'urn:uuid:1'),
];

/** A printer of one job, which cuts names. */
export class FakeIppPrinter {
  facts: IppAttribute[] = PDF;
  sendStatus = 0;
  jobState = 9;
  /** Does not read documents that are larger than its connection takes at once. */
  stalls = false;
  readonly operations: number[] = [];
  private jobName = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeIppPrinter> {
    const server = createServer((message, response) => {
      if (printer.stalls && Number(message.headers['content-length']) > 1_000_000) return;
      void buffer(message)
        .then((bytes) => response.end(printer.answer(bytes)))
        .catch(() => undefined);
    });
    const printer = new FakeIppPrinter(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return printer;
  }

  get address(): URL {
    return new URL(`ipp://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(bytes: Buffer): Buffer {
    const { status: operation, groups } = decodeResponse(bytes);
    this.operations.push(operation);
    const [asked] = groupsOf({ status: 0, groups }, Tag.operation);
    if (operation === CREATE_JOB) this.jobName = String(asked?.get('job-name')?.[0]).slice(0, NAME_LENGTH);
    const job = [
      attribute('job-id', Tag.integer, 7),
      attribute('job-name', Tag.name, this.jobName),
      attribute('job-state', Tag.enum, this.jobState),
    ];
    const answers: Record<number, { tag: number; attributes: IppAttribute[] }> = {
      [GET_PRINTER_ATTRIBUTES]: { tag: Tag.printer, attributes: this.facts },
      [CREATE_JOB]: { tag: Tag.job, attributes: job },
      [GET_JOB_ATTRIBUTES]: { tag: Tag.job, attributes: job },
    };
    const answer = answers[operation];
    const status = operation === SEND_DOCUMENT ? this.sendStatus : 0;
    return encodeRequest({ operation: status, groups: answer ? [answer] : [] });
  }
}
