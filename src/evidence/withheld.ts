/**
 * Events that hold a sealed secret or the hash of a credential: proof files show their entries without the body.
 * A test compares this with the types of all events.
 */
export const WITHHELD: ReadonlySet<string> = new Set([
  'ApiKeyCreated',
  'ComputerReenrolled',
  'ComputerRegistered',
  'DeviceCredentialRenewed',
  'DeviceCredentialReplaced',
  'EnrollmentCreated',
  'MemberAlertsChosen',
  'MemberPasswordSet',
  'OperatorTokenIssued',
  'PanelLinkIssued',
  'PartnerCredentialCreated',
  'SessionOpened',
  'WebhookCreated',
  'WebhookSecretRotated',
]);
