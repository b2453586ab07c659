import type { RejectionOf } from '../../../kernel/command.js';
import { accept, reject, type Decider, type Decision } from '../../../kernel/decider.js';
import { addPrinter, removeAddedPrinter, syncInventory, updatePrinter } from './computer.inventory.js';
import type { ComputerCommand, ComputerRejection, StartAgentSession } from './computer.commands.js';
import { renewCredential, replaceCredential } from './computer.credential.js';
import type { ComputerEvent } from './computer.events.js';
import {
  reportHealth,
  disable,
  enable,
  enroll,
  markOffline,
  noteReplaced,
  rename,
  reportLostEvent,
  reportUnknown,
  revoke,
  see,
  startSession,
} from './computer.presence.js';
import { evolve, noComputer, type Computer, type KnownComputer } from './computer.state.js';
import { isReplacedStart } from './session-succession.js';

type Decide<C, R extends ComputerRejection = RejectionOf<C>> = (
  computer: KnownComputer,
  command: C,
) => Decision<ComputerEvent, R>;

type Decisions = {
  readonly [C in Exclude<ComputerCommand, { kind: 'EnrollComputer' }> as C['kind']]: Decide<C>;
};

const decisions: Decisions = {
  RevokeComputer: (computer, { reason }) => accept(...revoke(computer, reason)),
  MarkComputerOffline: (computer) => accept(...markOffline(computer)),
  UpdatePrinter: updatePrinter,
  StartAgentSession: unlessRevoked(decideStart),
  NoteReplacedSession: unlessRevoked((computer, command) => accept(...noteReplaced(computer, command))),
  NoteSessionNaming: unlessRevoked(({ namesSession }) =>
    namesSession ? accept() : accept({ type: 'SessionNamingNoted', data: {} }),
  ),
  ReportUnknownJobs: unlessRevoked((computer, command) => accept(...reportUnknown(computer, command))),
  ReportAgentHealth: unlessRevoked((computer, command) => accept(...reportHealth(computer, command))),
  RecordAgentCall: unlessRevoked((computer, { credentialHash }) =>
    accept(...replaceCredential(computer, credentialHash), ...see(computer)),
  ),
  RenewCredential: unlessRevoked(renewCredential),
  ReportLostEvent: unlessRevoked((computer, command) => accept(...reportLostEvent(computer, command))),
  RenameComputer: unlessRevoked((computer, command) => accept(...rename(computer, command))),
  DisableComputer: unlessRevoked((computer) => accept(...disable(computer))),
  EnableComputer: unlessRevoked((computer, { present }) => accept(...enable(computer, present))),
  SyncInventory: unlessRevoked(syncInventory),
  AddPrinter: unlessRevoked(addPrinter),
  RemoveAddedPrinter: unlessRevoked(removeAddedPrinter),
};

/** Includes the printers, because a change of one and its effects on others are one decision. */
export const computerDecider: Decider<Computer, ComputerCommand, ComputerEvent, ComputerRejection> = {
  initialState: noComputer,

  decide(computer, command) {
    if (command.kind === 'EnrollComputer') return accept(...enroll(computer, command));
    if (!isKnown(computer)) return reject({ code: 'ComputerNotFound' });
    const decide = decisions[command.kind] as Decide<ComputerCommand, ComputerRejection>;
    return decide(computer, command);
  },

  evolve,
};

function decideStart(
  computer: KnownComputer,
  command: StartAgentSession,
): Decision<ComputerEvent, { readonly code: 'InstallationMismatch' | 'SessionReplaced' }> {
  const { installationId, startId } = command.session;
  if (installationId !== computer.installationId) return reject({ code: 'InstallationMismatch' });
  if (isReplacedStart(computer, startId)) return reject({ code: 'SessionReplaced' });
  return accept(...startSession(computer, command));
}

function unlessRevoked<C, R extends ComputerRejection>(decide: Decide<C, R>) {
  return (computer: KnownComputer, command: C): Decision<ComputerEvent, R | { code: 'ComputerRevoked' }> =>
    computer.status === 'revoked' ? reject({ code: 'ComputerRevoked' }) : decide(computer, command);
}

function isKnown(computer: Computer): computer is KnownComputer {
  return computer.status !== 'absent';
}
