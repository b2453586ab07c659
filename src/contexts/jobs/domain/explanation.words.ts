/** How a job stands. docs/reference/explanations.md says what each word means. */
export const VERDICTS = [
  'waiting',
  'blocked',
  'printing',
  'finished',
  'retrying',
  'failed',
  'needs_decision',
  'cancelled',
  'expired',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What a person can do, and the operation that does it if there is one. */
export const ACTIONS = {
  wait: { text: 'Wait: the service goes on by itself.' },
  resume_account: { text: 'Ask the operator to resume the account.', operation: 'resumeAccount' },
  raise_plan: {
    text: 'To print it again, raise the plan or wait for the next month: the jobs of this month are used up.',
    operation: 'changePlan',
  },
  start_computer: { text: 'Start the computer with its Agent, and check its network.' },
  connect_computer: {
    text: 'Connect the computer again with a new enrolment token.',
    operation: 'createEnrollment',
  },
  enable_computer: { text: 'Enable the computer.', operation: 'enableComputer' },
  revoke_computer: {
    text: 'Revoke the computer and connect it again, so that only one Agent has its credential.',
    operation: 'revokeComputer',
  },
  update_agent: { text: 'Install the newest Agent on the computer.' },
  enable_printer: { text: 'Enable the printer.', operation: 'updatePrinter' },
  resume_printer: { text: 'Resume the printer.', operation: 'updatePrinter' },
  load_paper: { text: 'Load paper.' },
  check_printer: { text: 'Look at the printer, and at its queue on the computer.' },
  move_queue: {
    text: 'Or move what waits for the printer to another one.',
    operation: 'movePrinterQueue',
  },
  look_for_paper: {
    text: 'Look in the tray and in the queue on the computer. If it was printed, leave the job as it is.',
  },
  retry: { text: 'Queue the job again.', operation: 'retryPrintJob' },
  reprint: { text: 'Print the document again as a new job.', operation: 'reprintPrintJob' },
  send_again: { text: 'Send the document again as a new job.', operation: 'createPrintJob' },
  change_document: {
    text: 'Send a document that the printer can print as a new job.',
    operation: 'createPrintJob',
  },
  change_options: {
    text: 'Send a new job with options that the printer has, or with unsupported: ignore.',
    operation: 'createPrintJob',
  },
} as const satisfies Record<string, { readonly text: string; readonly operation?: string }>;
export type Action = keyof typeof ACTIONS;

/** Why a job stands as it does, and what helps, in this order. */
export const CAUSES = {
  next_in_turn: ['wait'],
  jobs_before_it: ['wait', 'move_queue'],
  given_back_by_agent: ['check_printer', 'wait', 'move_queue'],
  account_not_active: ['resume_account'],
  computer_revoked: ['connect_computer', 'move_queue'],
  agent_not_started: ['start_computer', 'move_queue'],
  computer_disabled: ['enable_computer', 'move_queue'],
  computer_offline: ['start_computer', 'move_queue'],
  agent_too_old: ['update_agent', 'move_queue'],
  printer_removed: ['check_printer', 'move_queue'],
  printer_disabled: ['enable_printer', 'move_queue'],
  printer_paused: ['resume_printer', 'move_queue'],
  printer_offline: ['check_printer', 'move_queue'],
  printer_stuck: ['check_printer', 'move_queue', 'retry'],
  out_of_paper: ['load_paper', 'move_queue', 'retry'],
  with_agent: ['wait'],
  handed_off: ['wait'],
  in_spooler: ['wait'],
  spooler_finished: ['look_for_paper', 'reprint'],
  document_lost: ['send_again'],
  document_damaged: ['send_again'],
  document_not_printable: ['change_document'],
  option_refused: ['change_options'],
  agent_lost: ['start_computer', 'retry'],
  lease_lapsed: ['start_computer', 'retry'],
  cancelled_at_computer: ['reprint'],
  not_taken_by_spooler: ['check_printer', 'retry', 'reprint'],
  handoff_unconfirmed: ['look_for_paper', 'retry'],
  spooler_vanished: ['look_for_paper', 'retry'],
  spooler_aborted: ['look_for_paper', 'retry'],
  spooler_silent: ['look_for_paper', 'retry'],
  service_restored: ['look_for_paper', 'retry'],
  unexpected_evidence: ['look_for_paper', 'retry'],
  credential_shared: ['look_for_paper', 'retry', 'revoke_computer'],
  cancelled: ['reprint'],
  expired_waiting: ['reprint'],
  expired_undecided: ['look_for_paper', 'reprint'],
} as const satisfies Record<string, readonly Action[]>;
export type Cause = keyof typeof CAUSES;
