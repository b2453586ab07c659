import { storyOf } from '../../../../test/kit/decider.js';
import * as pc from '../../../../test/kit/examples/devices.js';
import { computerDecider } from './computer.decider.js';

const { given } = storyOf(computerDecider);
const working = [pc.registered, pc.sessionStarted(), pc.cameOnline];
const printing = [...working, pc.detected(), pc.printerOnline('offline')];

describe('renaming a computer', () => {
  it('gives it the name, and its printers', () => {
    given(...working)
      .when(pc.rename('Front desk'))
      .then(pc.renamed('Front desk'));
    given(...printing)
      .when(pc.rename('Front desk'))
      .then(pc.renamed('Front desk', 'Front desk', [pc.PRINTER_ID]));
  });

  it('writes nothing for the same name', () => {
    given(...working, pc.renamed('Front desk'))
      .when(pc.rename('Front desk'))
      .thenNothing();
    given(...working)
      .when(pc.rename(''))
      .thenNothing();
  });

  it('takes the reported name again for an empty one', () => {
    given(...working, pc.renamed('Front desk'))
      .when(pc.rename(''))
      .then(pc.renamed('RECEPTION', ''));
  });

  it('outlasts the names of later sessions and enrolments', () => {
    const named = { name: 'Front desk' };
    given(...working, pc.renamed('Front desk'))
      .when(pc.startSession({ sessionId: 'next', hostname: 'LOBBY' }))
      .then(pc.sessionStarted({ sessionId: 'next', hostname: 'LOBBY', ...named }));
    given(...working, pc.renamed('Front desk'))
      .when(pc.enrol(pc.credential(pc.NEW_HASH), { displayName: 'Lobby' }))
      .then({
        type: 'ComputerReenrolled',
        data: { displayName: 'Lobby', ...pc.credential(pc.NEW_HASH), ...named },
      });
  });

  it('is refused for a revoked computer', () => {
    given(...working, pc.revoked)
      .when(pc.rename('Front desk'))
      .thenRejected('ComputerRevoked');
  });
});

describe('pausing a printer', () => {
  it('changes nothing but the pause, once', () => {
    given(...printing)
      .when(pc.updatePrinter({ paused: true }))
      .then(pc.updated({ paused: true }));
    given(...printing, pc.updated({ paused: true }))
      .when(pc.updatePrinter({ paused: true }))
      .thenNothing();
    given(...printing, pc.updated({ paused: true }))
      .when(pc.updatePrinter({ displayName: 'Till 1' }))
      .then(pc.updated({ alias: 'Till 1' }));
  });

  it('ends when it is resumed, not with an inventory', () => {
    given(...printing, pc.updated({ paused: true }))
      .when(pc.updatePrinter({ paused: false }))
      .then(pc.updated({ paused: false }));
    given(...printing, pc.updated({ paused: true }))
      .when(pc.sync([pc.report()]))
      .thenNothing();
  });
});
