import { storyOf } from '../../../../test/kit/decider.js';
import * as pc from '../../../../test/kit/examples/devices.js';
import { versionOfAdded } from './computer.inventory.js';
import { computerDecider } from './computer.decider.js';

const { given } = storyOf(computerDecider);
const { registered, added, removedAdded, addPrinter, removeAdded } = pc;
const LABEL = 'socket://10.0.0.7:9100';

describe('adding a printer without a queue', () => {
  it('stores its name and address', () => {
    given(registered).when(addPrinter('Label', LABEL)).then(added('Label', LABEL));
  });

  it('writes nothing for the same printer again', () => {
    given(registered, added('Label', LABEL)).when(addPrinter('Label', LABEL)).thenNothing();
  });

  it('changes the address of a printer of that name', () => {
    const other = 'socket://10.0.0.8:9100';
    given(registered, added('Label', LABEL)).when(addPrinter('Label', other)).then(added('Label', other));
    const { addedPrinters } = given(registered, added('Label', LABEL), added('Label', other)).state();
    expect(addedPrinters).toEqual([{ name: 'Label', address: other }]);
  });

  it('is refused beyond 100 printers', () => {
    const many = Array.from({ length: 100 }, (_, n) => added(`Label ${n}`, LABEL));
    given(registered, ...many)
      .when(addPrinter('Label', LABEL))
      .thenRejected('TooManyAddedPrinters');
    given(registered, ...many.slice(1))
      .when(addPrinter('Label', LABEL))
      .then(added('Label', LABEL));
  });

  it('is refused on a revoked computer', () => {
    given(registered, pc.revoked).when(addPrinter('Label', LABEL)).thenRejected('ComputerRevoked');
  });
});

describe('taking an added printer back', () => {
  it('stores its name', () => {
    given(registered, added('Label', LABEL)).when(removeAdded('Label')).then(removedAdded('Label'));
  });

  it('is refused for a printer that was not added', () => {
    given(registered, pc.detected(1)).when(removeAdded('Queue 1')).thenRejected('PrinterNotFound');
  });
});

describe('the version of the added printers', () => {
  const version = (...events: Parameters<typeof given>) =>
    versionOfAdded(given(registered, ...events).state());

  it('is that of the list, not of its history', () => {
    const [a, b] = [added('A', LABEL), added('B', LABEL)];
    expect(version(a, b)).toBe(version(b, a, added('C', LABEL), removedAdded('C')));
    expect(version(a)).not.toBe(version(a, b));
    expect(version()).toBe(version(a, removedAdded('A')));
  });
});
