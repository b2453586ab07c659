/** Groups of the reading page, in its order. */
const TAGS = {
  Account: 'The account of the credential, or the accounts of a partner.',
  Computers: 'Computers with an agent: enrolment, presence and status.',
  Printers: 'Printers of the computers.',
  Jobs: 'Print jobs, from the document to the spooler.',
  Webhooks: 'Signed notifications of events, and their deliveries.',
  Service: 'Health and capabilities.',
} as const;

/** Name of the security scheme in every document; the reading page selects it. */
export const SECURITY_SCHEME = 'credential';

export type Tag = keyof typeof TAGS;

/** The used tags, in the order of the reading page. */
export function tagsOf(operations: readonly { readonly tag?: Tag }[]) {
  const used = new Set(operations.map(({ tag }) => tag));
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name as Tag))
    .map(([name, description]) => ({ name, description }));
}
