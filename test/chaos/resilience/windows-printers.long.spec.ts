import {
  numberingProviderContract,
  printerProviderContract,
} from '../../contract/printer-provider.contract.js';
import { Cupsd } from '../../kit/cupsd.js';
import { RemoteProvider } from '../../kit/windows/remote-provider.js';
import { windowsMissing, Wine } from '../../kit/windows/wine.js';

const missing = windowsMissing();

if (missing) {
  describe('the printers of Windows', () => {
    it(`are skipped: ${missing}`, () => {
      process.stderr.write(`windows-printers: not tested, ${missing}\n`);
    });
  });
} else {
  describe('the printers of Windows', () => {
    let cupsd: Cupsd;
    let wine: Wine;
    let provider: RemoteProvider;
    beforeAll(async () => {
      cupsd = await Cupsd.start();
      await cupsd.addQueue('desk');
      await cupsd.addQueue('label');
      wine = await Wine.start(cupsd.address);
      provider = await RemoteProvider.start(wine);
    });
    afterAll(async () => {
      await provider.stop();
      await wine.remove();
      await cupsd.remove();
    });

    const site = () => ({ provider, printer: 'desk', printed: () => cupsd.output() });
    printerProviderContract(site);
    numberingProviderContract(site);

    it('identifies a run of the spooler service by its process and the start of that process', async () => {
      await wine.command('net', 'start', 'Spooler');
      const first = await provider.epoch();
      await wine.command('net', 'stop', 'Spooler');
      await wine.command('net', 'start', 'Spooler');

      expect(first).toMatch(/^[1-9]\d*@[1-9]\d{17}$/);
      expect(await provider.epoch()).toMatch(/^[1-9]\d*@[1-9]\d{17}$/);
      expect(await provider.epoch()).not.toBe(first);
    });
  });
}
