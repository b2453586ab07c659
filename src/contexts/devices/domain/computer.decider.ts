import { accept, reject, type Decider, type Decision } from '../../../kernel/decider.js';
import type { ComputerCommand } from './computer.commands.js';
import type { ComputerEvent } from './computer.events.js';
import { syncInventory, updatePrinter } from './computer.inventory.js';
import {
  disable,
  enable,
  enroll,
  markOffline,
  reportLostEvent,
  revoke,
  see,
  startSession,
} from './computer.presence.js';
import type { ComputerRejection } from './computer.rejections.js';
import { noteReplaced, reportUnknown } from './computer.sessions.js';
import { evolve, noComputer, type Computer, type KnownComputer } from './computer.state.js';

/** A computer with its printers: what changes one and what it does to the others is one decision. */
export const computerDecider: Decider<Computer, ComputerCommand, ComputerEvent, ComputerRejection> = {
  initialState: noComputer,

  decide(computer, command) {
    if (command.kind === 'EnrollComputer') return accept(...enroll(computer, command));
    if (!isKnown(computer)) return reject({ code: 'ComputerNotFound' });
    switch (command.kind) {
      case 'RevokeComputer':
        return accept(...revoke(computer, command.reason));
      case 'MarkComputerOffline':
        return accept(...markOffline(computer));
      case 'UpdatePrinter':
        return updatePrinter(computer, command);
      default:
        return computer.status === 'revoked'
          ? reject({ code: 'ComputerRevoked' })
          : decide(computer, command);
    }
  },

  evolve,
};

type OfLivingComputers = Exclude<
  ComputerCommand,
  { kind: 'EnrollComputer' | 'RevokeComputer' | 'MarkComputerOffline' | 'UpdatePrinter' }
>;

function decide(
  computer: KnownComputer,
  command: OfLivingComputers,
): Decision<ComputerEvent, ComputerRejection> {
  switch (command.kind) {
    case 'StartAgentSession':
      return command.session.installationId === computer.installationId
        ? accept(...startSession(computer, command))
        : reject({ code: 'InstallationMismatch' });
    case 'NoteReplacedSession':
      return accept(...noteReplaced(computer, command));
    case 'ReportUnknownJobs':
      return accept(...reportUnknown(computer, command));
    case 'SeeComputer':
      return accept(...see(computer));
    case 'ReportLostEvent':
      return accept(...reportLostEvent(computer, command));
    case 'DisableComputer':
      return accept(...disable(computer));
    case 'EnableComputer':
      return accept(...enable(computer, command.present));
    case 'SyncInventory':
      return syncInventory(computer, command);
  }
}

function isKnown(computer: Computer): computer is KnownComputer {
  return computer.status !== 'absent';
}
