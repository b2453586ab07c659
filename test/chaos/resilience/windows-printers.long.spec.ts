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
  });
}
