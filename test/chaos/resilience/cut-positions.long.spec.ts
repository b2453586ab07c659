import { Desk, SIZE } from '../../kit/raw-desk.js';

describe('a connection that is cut at each position of a document', () => {
  it('never prints twice and never loses a document', async () => {
    const desk = await Desk.open();
    const wrong: object[] = [];
    for (let after = 0; after < SIZE; after++) {
      const { reported, printed } = await desk.printCut(after, after % 2 === 0 ? 'reset' : 'close');
      const isRight = reported === (after === 0 ? 'not_submitted' : 'ambiguous') && printed === after;
      if (!isRight) wrong.push({ after, reported, printed });
    }
    await desk.close();

    expect(wrong).toEqual([]);
  }, 900_000);
});
