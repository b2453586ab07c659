import { PrintingSite } from '../../kit/printing-site.js';
import { within } from '../../kit/polling.js';

const PRINTERS = ['Desk', 'Label', 'Till'];
const WAITING = Number(process.env.WAITING ?? 300);

describe('printing for a printer beside a long queue and a hanging spooler', () => {
  it('prints its job within five seconds', async () => {
    const names = PRINTERS.flatMap((name) => ['--virtual-name', name]);
    const site = await PrintingSite.open({
      env: { HANDOFF_GRACE_SECONDS: '600', ACCEPT_GRACE_SECONDS: '600', SPOOL_WATCH_SECONDS: '600' },
      agentOptions: [...names, '--simulate', 'outcome=silent,printer=Label'],
    });
    try {
      await site.print(WAITING, 'Desk');
      await site.print(5, 'Label');
      await within(30_000, async () => (await site.statuses('Label')).accepted_by_agent === 5);
      await site.print(1, 'Till');
      await within(5000, async () => (await site.statuses('Till')).spooler_completed === 1);
      expect((await site.statuses('Label')).spooler_completed).toBeUndefined();
    } finally {
      await site.close();
    }
  });
});
