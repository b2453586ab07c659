/**
 * Events that hold a sealed secret or the hash of a credential: proof files show their entries without the body.
 * A test compares this with the types of all events.
 */
const WITHHELD: ReadonlySet<string> = new Set([
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

export const isWithheld = (type: string) => WITHHELD.has(type);

/** For tests and documents. */
export const withheldTypes = [...WITHHELD];
