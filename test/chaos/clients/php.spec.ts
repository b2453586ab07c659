import { clientSuite } from './client.contract.js';
import { isInstalled, ProgramDriver } from './driver.js';

const VERSION = ['-r', 'echo PHP_VERSION_ID >= 80100 && extension_loaded("curl") ? "php with curl" : "";'];

if (isInstalled('php', VERSION, 'php with curl'))
  clientSuite('PHP', () => ProgramDriver.start('php', ['test/chaos/clients/drivers/driver.php']));
else it.skip('needs PHP 8.1 with curl', () => undefined);
