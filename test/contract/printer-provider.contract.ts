import type {
  PrinterProvider,
  PrintRequest,
  SubmitProgress,
  Submitted,
} from '../../agent/printers/provider.js';
import { eventually } from '../kit/polling.js';
import { quietProgress } from '../kit/quiet-progress.js';

export interface PrintingSite {
  readonly provider: PrinterProvider;
  /** Key of a printer of the provider, without the provider's prefix. */
  readonly printer: string;
  /** Bytes that came out, per document: all copies in a row. */
  printed(): Promise<Map<string, Buffer>>;
  /** Of documents whose type does not matter; default `raw`. */
  readonly contentType?: 'raw' | 'text';
}

let documents = 0;

class Scene {
  readonly documentName = `svc:contract:${++documents}`;

  constructor(private readonly site: PrintingSite) {}

  submit(more: Partial<PrintRequest> = {}, steps: Partial<SubmitProgress> = {}): Promise<Submitted> {
    const { printer, provider, contentType = 'raw' } = this.site;
    const bytes = Buffer.from('^XA^XZ');
    const request = {
      documentName: this.documentName,
      printer,
      contentType,
      copies: 1,
      bytes,
    } as const;
    return provider.submit({ ...request, ...more }, quietProgress(steps));
  }

  /** Resolves to the bytes of the document once all came out. */
  output(): Promise<Buffer> {
    return eventually('the output', async () => {
      const { state } = await this.site.provider.find(this.documentName);
      return state === 'completed' ? (await this.site.printed()).get(this.documentName) : undefined;
    });
  }
}

/** What the Agent expects of every provider. */
export function printerProviderContract(site: () => PrintingSite): void {
  let scene: Scene;
  beforeEach(() => void (scene = new Scene(site())));

  it('lists its printers under stable keys with its own prefix', async () => {
    const { provider, printer } = site();
    const keys = (await provider.inventory()).map(({ printer_key }) => printer_key);

    expect(keys).toContain(`${provider.name}:${printer}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect((await provider.inventory()).map(({ printer_key }) => printer_key)).toEqual(keys);
  });

  it('keeps its epoch while its spooler runs', async () => {
    expect(await site().provider.epoch()).toBe(await site().provider.epoch());
  });

  it('prints exactly the bytes of a document', async () => {
    const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, n) => n % 256));
    await scene.submit({ bytes });

    expect((await scene.output()).equals(bytes)).toBe(true);
  });

  it('prints raw bytes once per copy', async () => {
    if (site().contentType === 'text') return; // The printer looks into documents.
    await scene.submit({ copies: 3, bytes: Buffer.from([27, 64, 0, 255, 13, 10]) });

    expect(await scene.output()).toEqual(
      Buffer.from([27, 64, 0, 255, 13, 10, 27, 64, 0, 255, 13, 10, 27, 64, 0, 255, 13, 10]),
    );
  });

  it('prints text unchanged', async () => {
    const bytes = Buffer.from('Grüße ☕\n');
    await scene.submit({ contentType: 'text', bytes });

    expect(await scene.output()).toEqual(bytes);
  });

  it('finds a printed document by its name', async () => {
    const { spoolerJobId } = await scene.submit();
    await scene.output();

    expect(await site().provider.find(scene.documentName)).toMatchObject({
      state: 'completed',
      spoolerJobId,
    });
    expect(await site().provider.find(scene.documentName, spoolerJobId)).toMatchObject({
      state: 'completed',
    });
  });

  it('does not find a document that was never submitted', async () => {
    expect(await site().provider.find(scene.documentName)).toEqual({ state: 'absent' });
  });
}

/** Further expectations of a provider whose jobs have a number before they have bytes. */
export function numberingProviderContract(site: () => PrintingSite): void {
  let scene: Scene;
  beforeEach(() => void (scene = new Scene(site())));

  it('reports the number of the job before it has bytes', async () => {
    const steps: string[] = [];
    const seen = async (step: string): Promise<void> => {
      steps.push(step);
      expect(await site().printed()).not.toContain(scene.documentName);
    };
    const { spoolerJobId } = await scene.submit(
      {},
      { created: (id) => seen(`created ${id}`), halfway: () => seen('halfway') },
    );

    expect(steps).toEqual([`created ${spoolerJobId}`, 'halfway']);
    expect(await scene.output()).toEqual(Buffer.from('^XA^XZ'));
  });

  it('prints nothing of a withdrawn job whose number could not be recorded', async () => {
    const { provider } = site();
    let number = '';
    const full: SubmitProgress = {
      ...quietProgress(),
      created: (id) => {
        number = id;
        return Promise.reject(new Error('disk full'));
      },
    };
    await expect(scene.submit({}, full)).rejects.toThrow('disk full');
    const left = await provider.find(scene.documentName, number);
    if (left.state === 'empty') await provider.withdraw(number);
    const next = new Scene(site());
    await next.submit();
    await next.output();

    expect(await provider.find(scene.documentName, number)).toMatchObject({
      state: 'cancelled',
      started: false,
    });
    expect([...(await site().printed()).keys()]).not.toContain(scene.documentName);
  });

  it('submits nothing to a printer that does not exist', async () => {
    await expect(scene.submit({ printer: 'nowhere' })).rejects.toMatchObject({ name: 'NotSubmitted' });
    expect(await site().provider.find(scene.documentName)).toEqual({ state: 'absent' });
  });
}
