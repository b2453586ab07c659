import { clientSuite } from './client.contract.js';
import { isInstalled, ProgramDriver } from './driver.js';

const VERSION = ['-c', 'import sys; print("python", sys.version_info >= (3, 9))'];

if (isInstalled('python3', VERSION, 'python True'))
  clientSuite('Python', () => ProgramDriver.start('python3', ['test/chaos/clients/drivers/driver.py']));
else it.skip('needs Python 3.9', () => undefined);
