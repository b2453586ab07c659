import { inOwnProcess, rasterInOwnProcess } from './pdf-process.js';
import type { RasterSettings } from './pwg-raster.js';

const PLACES = 4;
const SETTINGS: RasterSettings = {
  ...{ dpi: 300, type: 'sgray_8', sheetName: '', isDuplex: false, isTumble: false, sheetBack: 'normal' },
};
const open = new AbortController().signal;

describe('processes for PDFs', () => {
  /** Fills all places; `leave` frees one. */
  const fill = async (): Promise<{ leave: () => void; left: Promise<void> }[]> => {
    const busy: { leave: () => void; left: Promise<void> }[] = [];
    for (let place = 0; place < PLACES; place++)
      await new Promise<void>((entered) => {
        const entry = { leave: (): void => undefined };
        const left = inOwnProcess(open, () => {
          entered();
          return new Promise<void>((resolve) => (entry.leave = resolve));
        });
        busy.push({ leave: () => entry.leave(), left });
      });
    return busy;
  };

  it('lets a document that waits for a place give up, and gives the place to the next one', async () => {
    const busy = await fill();
    const [first, second] = [new AbortController(), new AbortController()];
    const given = inOwnProcess(first.signal, () => Promise.resolve('entered'));
    const drawn = rasterInOwnProcess(second.signal, Buffer.from(''), SETTINGS)[Symbol.asyncIterator]().next();
    const next = inOwnProcess(open, () => Promise.resolve('entered'));
    first.abort(new Error('the printer is stuck'));
    second.abort(new Error('the printer is stuck'));

    await expect(given).rejects.toThrow('the printer is stuck');
    await expect(drawn).rejects.toThrow('the printer is stuck');
    busy.pop()!.leave();
    expect(await next).toBe('entered');
    for (const { leave } of busy) leave();
    await Promise.all(busy.map(({ left }) => left));
  });

  it('frees the place of a document that is aborted, once', async () => {
    const busy = await fill();
    for (const { leave } of busy) leave();
    await Promise.all(busy.map(({ left }) => left));
    const abort = new AbortController();
    const hanging: Promise<unknown>[] = [];
    let hang: () => void = () => undefined;
    const hung = new Promise<void>((resolve) => (hang = resolve));
    for (let place = 0; place < PLACES; place++)
      await new Promise<void>((entered) => {
        hanging.push(inOwnProcess(abort.signal, () => (entered(), hung)));
      });
    const next = inOwnProcess(open, () => Promise.resolve('entered'));
    abort.abort(new Error('the printer is stuck'));

    expect(await next).toBe('entered');
    hang();
    await Promise.all(hanging);
    const after = await fill();
    let isIn = false;
    const fifth = inOwnProcess(open, () => Promise.resolve((isIn = true)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIn).toBe(false);
    for (const { leave } of after) leave();
    await Promise.all([fifth, ...after.map(({ left }) => left)]);
  });

  it('refuses what is aborted already', async () => {
    const given = inOwnProcess(AbortSignal.abort(new Error('too late')), () => Promise.resolve());
    await expect(given).rejects.toThrow('too late');
  });
});
