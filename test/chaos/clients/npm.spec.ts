import { clientSuite } from './client.contract.js';
import { NpmDriver } from './npm-driver.js';

clientSuite('Node', () => Promise.resolve(new NpmDriver()));
