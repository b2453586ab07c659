import { command, type Outcome } from '../../../kernel/command.js';
import type { AgentHealth, ComputerEvent } from './computer.events.js';
import type { Computer } from './computer.state.js';

export const BEHIND_AFTER_SECONDS = 120;

type Refused = { readonly code: 'ComputerNotFound' } | { readonly code: 'ComputerRevoked' };

export class ReportAgentHealth extends command('ReportAgentHealth')<
  { computerId: string; health: AgentHealth },
  Outcome<Computer, ComputerEvent, Refused>
> {}

/** docs/decisions/080-naming-the-session.md */
export class NoteSessionNaming extends command('NoteSessionNaming')<
  { computerId: string },
  Outcome<Computer, ComputerEvent, Refused>
> {}

/** Ignores changes of figures, message or time alone: heartbeats must not grow the stream. */
export function changesHealth({ health }: Pick<Computer, 'health'>, reported: AgentHealth): boolean {
  return (
    health === undefined ||
    health.lowSpace !== reported.lowSpace ||
    health.behind !== reported.behind ||
    health.lastError?.code !== reported.lastError?.code ||
    stuckKeys(health) !== stuckKeys(reported)
  );
}

function stuckKeys({ stuckPrinters = [] }: AgentHealth): string {
  return JSON.stringify(stuckPrinters.map(({ printerKey }) => printerKey).sort());
}

export function reportHealth(computer: Computer, { health }: ReportAgentHealth): ComputerEvent[] {
  return changesHealth(computer, health) ? [{ type: 'AgentHealthChanged', data: health }] : [];
}
