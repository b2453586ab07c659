import type { ComputerEvent } from '../../src/contexts/devices/domain/computer.events.js';
import type { ViewStore } from '../../src/event-sourcing/ports/view-store.port.js';
import * as pc from '../../test/kit/examples/devices.js';
import { recorded } from '../../test/kit/recorded.js';
import { printersProjection } from './printers.projection.js';
import { PrinterQueries, type PrinterFilter } from './printers.queries.js';
import { TestViews } from '../../test/kit/views.js';

/** Printers 1 (online), 2 (offline), 3 (disabled), 4 (removed), and 5 of another account's computer. */
function printers(): PrinterQueries {
  const views = new TestViews([printersProjection]);
  const elsewhere = { accountId: 'another account', computerId: 'another computer' };
  views.project(
    recorded<ComputerEvent>(
      pc.COMPUTER_STREAM,
      ...[1, 2, 3, 4].map((n) => pc.detected(n)),
      pc.detected(5, elsewhere),
      pc.printerOnline('offline', 1),
      pc.updated({ enabled: false }, 3),
      pc.printerDisabled('offline', 3),
      pc.printerRemoved('offline', 4),
    ),
  );
  return new PrinterQueries(views.store);
}
const queries = printers();
const numbers = (found: readonly { printer_key: string }[]) =>
  found.map(({ printer_key }) => Number(printer_key.slice('queue-'.length)));
async function listed(filter: PrinterFilter) {
  const { items, total } = await queries.listPrinters(pc.ACCOUNT_ID, filter, { limit: 25, offset: 0 });
  return [numbers(items), total];
}

describe('getting a printer', () => {
  it('finds one of the account, even a removed one', async () => {
    expect(await queries.getPrinter(pc.ACCOUNT_ID, pc.printerIdOf(4))).toMatchObject({ status: 'removed' });
    expect(await queries.getPrinter(pc.ACCOUNT_ID, pc.printerIdOf(5))).toBeUndefined();
  });
});

describe('finding the computer of a printer', () => {
  it('queries the view until it contains the printer', async () => {
    let asked = 0;
    const views = new TestViews([printersProjection]);
    const get: ViewStore['get'] = (view, id) => (asked++, views.store.get(view, id));
    const queries = new PrinterQueries({ get } as ViewStore);
    expect(await queries.computerOf(pc.printerIdOf(1))).toBeUndefined();
    views.project(recorded<ComputerEvent>(pc.COMPUTER_STREAM, pc.detected(1)));
    for (let n = 0; n < 3; n++) expect(await queries.computerOf(pc.printerIdOf(1))).toBe(pc.COMPUTER_ID);
    expect(asked).toBe(2);
  });
});

describe('listing printers', () => {
  it('returns the newest first, without removed ones', async () => {
    expect(await listed({})).toEqual([[3, 2, 1], 3]);
  });

  it.each<[PrinterFilter, number[]]>([
    [{ status: 'removed' }, [4]],
    [{ status: 'online' }, [1]],
    [{ computerId: pc.COMPUTER_ID }, [3, 2, 1]],
    [{ computerId: pc.COMPUTER_ID, status: 'offline' }, [2]],
    [{ computerId: 'another computer' }, []],
    [{ enabled: false }, [3]],
    [{ enabled: true }, [2, 1]],
    [{ enabled: true, computerId: pc.COMPUTER_ID, status: 'online' }, [1]],
  ])('filters by %j', async (filter, expected) => {
    expect(await listed(filter)).toEqual([expected, expected.length]);
  });

  it('continues after a cursor', async () => {
    const first = await queries.listPartnerPrinters(pc.ACCOUNT_ID, {}, { limit: 1 });
    const rest = await queries.listPartnerPrinters(
      pc.ACCOUNT_ID,
      {},
      { limit: 9, after: first.positions[0]! },
    );
    expect([numbers(first.documents), numbers(rest.documents)]).toEqual([[3], [2, 1]]);
  });
});

describe('finding the computer of a printer', () => {
  it('finds it for removed printers and for every account', async () => {
    expect(await queries.computerOf(pc.printerIdOf(4))).toBe(pc.COMPUTER_ID);
    expect(await queries.computerOf(pc.printerIdOf(5))).toBe('another computer');
    expect(await queries.computerOf('unknown')).toBeUndefined();
  });
});
