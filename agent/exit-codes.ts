/** How the agent ends, in the numbers of sysexits.h, so that a supervisor can tell what is worth a restart. */
export const ExitCode = {
  ok: 0,
  usage: 64,
  /** Something nobody thought of. */
  software: 70,
  /** The journal or the outbox could not be written: the disk, not the service. */
  storage: 74,
  /** Another agent already runs on this state folder. */
  locked: 75,
  /** A newer session with the same credential took over; going on would take it back and forth for ever. */
  sessionReplaced: 76,
  /** Credential or enrollment token refused. */
  refused: 77,
  /** Nothing to start with: no credential in the state folder and no enrollment token given. */
  config: 78,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Ends the agent from anywhere below its loops. */
export class AgentStop extends Error {
  constructor(
    readonly exitCode: ExitCode,
    reason: string,
  ) {
    super(reason);
    this.name = 'AgentStop';
  }
}
