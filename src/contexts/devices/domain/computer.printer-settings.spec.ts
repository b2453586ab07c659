import { storyOf } from '../../../../test/kit/decider.js';
import * as pc from '../../../../test/kit/examples/devices.js';
import { computerDecider } from './computer.decider.js';

const { given } = storyOf(computerDecider);
const { report, detected, updated, printerOnline, printerOffline, printerDisabled, printerRemoved } = pc;
const started = [pc.registered, pc.sessionStarted(), pc.cameOnline];
const printing = [...started, detected(1), printerOnline('offline')];

describe('setting how a printer takes text', () => {
  const set = updated({ text: { encoding: 'cp858', cut_after: true } });

  it('keeps the settings that are not named', () => {
    given(...printing)
      .when(pc.updatePrinter({ text: { encoding: 'cp858', cut_after: true } }))
      .then(set);
    given(...printing, set)
      .when(pc.updatePrinter({ text: { line_ending: 'crlf', cut_after: false } }))
      .then(updated({ text: { encoding: 'cp858', line_ending: 'crlf', cut_after: false } }));
  });

  it('unsets what is null, and leaves nothing after the last one', () => {
    given(...printing, set)
      .when(pc.updatePrinter({ text: { cut_after: null } }))
      .then(updated({ text: { encoding: 'cp858' } }));
    given(...printing, set)
      .when(pc.updatePrinter({ text: { encoding: null, cut_after: null } }))
      .then(updated({ text: null }));
  });

  it('writes nothing for a repeat, nor for what was not set', () => {
    given(...printing, set)
      .when(pc.updatePrinter({ text: { encoding: 'cp858' } }))
      .thenNothing();
    given(...printing)
      .when(pc.updatePrinter({ text: { mode: null } }))
      .thenNothing();
    given(...printing, set, updated({ text: null }))
      .when(pc.updatePrinter({ text: { mode: null } }))
      .thenNothing();
  });

  it('outlives inventories', () => {
    given(...printing, set)
      .when(pc.sync([report(1)]))
      .thenNothing();
  });
});

describe('updating a printer', () => {
  it('disables it and enables it again', () => {
    given(...printing)
      .when(pc.updatePrinter({ enabled: false }))
      .then(updated({ enabled: false }), printerDisabled('online'));
    given(...printing, updated({ enabled: false }), printerDisabled('online'))
      .when(pc.updatePrinter({ enabled: true }))
      .then(printerOnline('disabled'), updated({ enabled: true }));
  });

  it('enables a printer that stays offline with its queue or computer', () => {
    const disabled = [updated({ enabled: false }), printerDisabled('online')];
    given(...printing, ...disabled, pc.wentOffline)
      .when(pc.updatePrinter({ enabled: true, displayName: 'Till 1' }))
      .then(printerOffline('disabled'), updated({ enabled: true, alias: 'Till 1' }));
    given(...printing, ...disabled, pc.disabled)
      .when(pc.updatePrinter({ enabled: true }))
      .then(updated({ enabled: true }));
  });

  it('stores enabled for later while its computer is disabled', () => {
    given(...printing, pc.disabled, printerDisabled('online'))
      .when(pc.updatePrinter({ enabled: false }))
      .then(updated({ enabled: false }));
  });

  it('sets a display name and removes it again', () => {
    given(...printing)
      .when(pc.updatePrinter({ displayName: 'Till 1' }))
      .then(updated({ alias: 'Till 1' }));
    given(...printing, updated({ alias: 'Till 1' }))
      .when(pc.updatePrinter({ displayName: '' }))
      .then(updated({ alias: null }));
  });

  it('writes nothing when nothing changes', () => {
    given(...printing)
      .when(pc.updatePrinter({ enabled: true, displayName: '' }))
      .thenNothing();
    given(...printing)
      .when(pc.updatePrinter({}))
      .thenNothing();
  });

  it('ignores a removed printer', () => {
    given(...printing, printerRemoved('online'))
      .when(pc.updatePrinter({ enabled: false }))
      .then(updated({ enabled: false }));
  });

  it('is refused for a printer of another computer', () => {
    given(...printing)
      .when(pc.updatePrinter({ enabled: false }, 9))
      .thenRejected('PrinterNotFound');
  });
});
