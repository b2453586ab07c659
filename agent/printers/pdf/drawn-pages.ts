import type { DrawRaster } from './pdf-process.js';
import type { RasterSettings } from './pwg-raster.js';

/** Pages as raster. The first part is drawn before the hand-off, where a failure certainly prints nothing. */
export class DrawnPages {
  private constructor(
    private readonly drawing: AbortController,
    private readonly first: IteratorResult<Uint8Array>,
    private readonly rest: AsyncIterator<Uint8Array>,
  ) {}

  /** Always `discard` them. @throws NotSubmitted if the first part cannot be drawn */
  static async begin(
    draw: DrawRaster,
    signal: AbortSignal,
    bytes: Uint8Array,
    settings: RasterSettings,
  ): Promise<DrawnPages> {
    const drawing = new AbortController();
    const parts = draw(drawing.signal, bytes, settings)[Symbol.asyncIterator]();
    const first = await stoppedBy(signal, drawing, () => parts.next());
    return new DrawnPages(drawing, first, parts);
  }

  /** To be read once; each part is drawn when it is asked for. */
  async *chunks(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    let part = this.first;
    while (!part.done) {
      yield part.value;
      part = await stoppedBy(signal, this.drawing, () => this.rest.next());
    }
  }

  discard(): void {
    this.drawing.abort(new Error('the pages are not needed any more'));
  }
}

async function stoppedBy<T>(
  signal: AbortSignal,
  drawing: AbortController,
  step: () => Promise<T>,
): Promise<T> {
  const stop = (): void => drawing.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return step().finally(() => signal.removeEventListener('abort', stop));
}
