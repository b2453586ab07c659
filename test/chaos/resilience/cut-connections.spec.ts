import { quietProgress } from '../../kit/quiet-progress.js';
import { Desk, DOCUMENT, requestOf, SIZE } from '../../kit/raw-desk.js';

describe('a connection that is cut', () => {
  let desk: Desk;
  beforeEach(async () => void (desk = await Desk.open()));
  afterEach(() => desk.close());

  it(`never prints twice and never loses a document, at every hundredth position`, async () => {
    for (let n = 0; n < SIZE / 100; n++) {
      const after = n * 100;
      const { reported, printed } = await desk.printCut(after, n % 2 === 0 ? 'reset' : 'close');
      expect({ after, reported, printed }).toEqual({
        after,
        reported: after === 0 ? 'not_submitted' : 'ambiguous',
        printed: after,
      });
    }
  });

  it.each(['reset', 'close'] as const)(
    'is uncertain when the cut (%s) comes behind the last byte',
    async (by) => {
      desk.device.cut = { after: SIZE, by };
      expect(await desk.print(desk.nextName())).toBe('ambiguous');
    },
  );

  it.each(['reset', 'close'] as const)('has sent nothing when it is cut at once (%s)', async (by) => {
    desk.device.cut = { after: 0, by };
    expect(await desk.print(desk.nextName())).toBe('not_submitted');
    expect(desk.device.connections).toBe(1);
  });

  it('has sent nothing while the printer is off, and prints once it is on again', async () => {
    const on = await desk.device.off();
    expect(await desk.print(desk.nextName())).toBe('not_submitted');
    await on();
    const name = desk.nextName();
    expect(await desk.print(name)).toBe('spooler_completed');
    expect(desk.device.printed()).toEqual(new Map([[name, DOCUMENT]]));
  });
});

describe('an Agent that dies', () => {
  let desk: Desk;
  beforeEach(async () => void (desk = await Desk.open()));
  afterEach(() => desk.close());

  /** Begins a document and dies at a step of it. */
  const dieAt = async (step: 'created' | 'halfway' | 'printing'): Promise<string> => {
    const documentName = desk.nextName();
    const request = requestOf(documentName);
    const never = new Promise<void>(() => undefined);
    const died = new Promise<void>((resolve) => {
      const die = (): Promise<void> => (resolve(), never);
      const progress = quietProgress(step === 'printing' ? { moved: () => resolve() } : { [step]: die });
      void desk.printers.submit(request, progress).catch(() => undefined);
    });
    await died;
    await desk.restart();
    return documentName;
  };

  it.each(['created', 'halfway'] as const)(
    'has sent nothing before the journal has its number (%s)',
    async (step) => {
      const name = await dieAt(step);
      const sighting = await desk.printers.find(name);
      expect(sighting.state).toBe('empty');
      await desk.printers.withdraw('spoolerJobId' in sighting ? sighting.spoolerJobId : '');

      expect(await desk.outcome(name)).toBe('not_submitted');
      expect(desk.device.printed()).toEqual(new Map());
    },
  );

  it('leaves an uncertain outcome once bytes were sent', async () => {
    desk.device.stallsAfter = 1;
    expect(await desk.outcome(await dieAt('printing'))).toBe('ambiguous');
  });

  it('leaves a completed document completed', async () => {
    const name = desk.nextName();
    expect(await desk.print(name)).toBe('spooler_completed');
    await desk.restart();
    expect(await desk.outcome(name)).toBe('spooler_completed');
  });
});
