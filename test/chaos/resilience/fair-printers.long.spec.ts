import { inflatingPdf } from '../../kit/hostile-pdfs.js';
import { IppEvePrinter, ippeveprinterMissing } from '../../kit/ippeveprinter.js';
import { PrintingSite } from '../../kit/printing-site.js';
import { within } from '../../kit/polling.js';

const PRINTERS = ['Desk', 'Label', 'Till'];
const WAITING = Number(process.env.WAITING ?? 300);
const LAUGHS = { type: 'pdf', encoding: 'base64', data: inflatingPdf().toString('base64') };

describe('printing for a printer beside a long queue, a hanging spooler and a hostile document', () => {
  it('prints its job within five seconds', async () => {
    const missing = ippeveprinterMissing();
    if (missing) process.stderr.write(`fair-printers: without a hostile document, ${missing}\n`);
    const office = missing ? undefined : await IppEvePrinter.start({ formats: ['image/pwg-raster'] });
    const names = PRINTERS.flatMap((name) => ['--virtual-name', name]);
    const drawn = office ? ['--printer', `Office=${office.address}`] : [];
    const site = await PrintingSite.open({
      env: { HANDOFF_GRACE_SECONDS: '600', ACCEPT_GRACE_SECONDS: '600', SPOOL_WATCH_SECONDS: '600' },
      agentOptions: [...names, ...drawn, '--simulate', 'outcome=silent,printer=Label'],
    });
    try {
      await site.print(WAITING, 'Desk');
      await site.print(5, 'Label');
      await within(30_000, async () => (await site.statuses('Label')).accepted_by_agent === 5);
      if (office) await site.print(1, 'Office', { content: LAUGHS });
      await site.print(1, 'Till');
      await within(5000, async () => (await site.statuses('Till')).spooler_completed === 1);
      expect((await site.statuses('Label')).spooler_completed).toBeUndefined();
      if (office) {
        await within(120_000, async () => (await site.statuses('Office')).failed === 1);
        expect(await office.taken()).toEqual([]);
      }
      // The Agent that failed it goes on.
      await site.print(1, 'Till');
      await within(30_000, async () => (await site.statuses('Till')).spooler_completed === 2);
    } finally {
      await site.close();
      await office?.remove();
    }
  });
});
