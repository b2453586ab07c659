import { length } from '../../kit/length.js';
import { Desk, SIZE } from '../../kit/raw-desk.js';

/** The beginning, the end, and every seventh position between; a soak tries all. */
const POSITIONS = Array.from({ length: SIZE }, (_, after) => after).filter(
  (after) => length === 'soak' || after < 100 || after >= SIZE - 100 || after % 7 === 0,
);

describe('a connection that is cut within a document', () => {
  it('never prints twice and never loses a document', async () => {
    const desk = await Desk.open();
    const wrong: object[] = [];
    for (const after of POSITIONS) {
      const { reported, printed } = await desk.printCut(after, after % 2 === 0 ? 'reset' : 'close');
      const isRight = reported === (after === 0 ? 'not_submitted' : 'ambiguous') && printed === after;
      if (!isRight) wrong.push({ after, reported, printed });
    }
    await desk.close();

    expect(wrong).toEqual([]);
  }, 900_000);
});
