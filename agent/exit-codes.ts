/** Exit codes from sysexits.h, by which a supervisor decides on a restart. */
export const ExitCode = {
  ok: 0,
  usage: 64,
  /** The service did not answer in the time of an installation. */
  unavailable: 69,
  /** Unexpected error. */
  software: 70,
  /** Installing and removing a service need the rights of an administrator. */
  noRights: 71,
  /** Writing to the state folder failed: a full or faulty disk. */
  storage: 74,
  /** Another agent already runs on this state folder. */
  locked: 75,
  /** A newer session with the same credential took over; a restart would only take it back. */
  sessionReplaced: 76,
  /** Credential or enrollment token refused. */
  refused: 77,
  /** Neither a credential in the state folder nor an enrollment token. */
  config: 78,
  /** An installation ended by SIGINT or SIGTERM: 128 and the number of SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Thrown anywhere in the agent to stop it. */
export class AgentStop extends Error {
  constructor(
    readonly exitCode: ExitCode,
    reason: string,
  ) {
    super(reason);
    this.name = 'AgentStop';
  }
}
