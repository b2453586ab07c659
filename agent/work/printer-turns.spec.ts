import { PrinterTurns } from './printer-turns.js';

describe('taking turns at a printer', () => {
  it('grants turns in the order of requests', async () => {
    const turns = new PrinterTurns();
    const order: number[] = [];
    const [first, second, third] = [1, 2, 3].map((n) => {
      const turn = turns.take('desk');
      return { ...turn, ready: turn.ready.then(() => void order.push(n)) };
    });
    await first!.ready;
    third!.leave();
    expect(order).toEqual([1]);
    first!.leave();
    await second!.ready;
    expect(order).toEqual([1, 2]);
    second!.leave();
    await third!.ready;
    expect(order).toEqual([1, 2, 3]);
  });

  it('is independent for each printer', async () => {
    const turns = new PrinterTurns();
    turns.take('desk');
    await expect(turns.take('kitchen').ready).resolves.toBeUndefined();
  });
});
