import { faultsIn } from './faults.mjs';

const HTTP = 'src/http';
const API = 'src/api';
const RIGHTS = 'test/surface/embedded/panel-rights.spec.ts';
const ISOLATION = 'test/chaos/safety/isolation.spec.ts';

/** Faults in HTTP, in the surfaces, and in what projections show. */
export const edges = [
  ...faultsIn('src/kernel/credential', [
    {
      name: 'a mistyped credential passes',
      find: 'if (fromBase62(secret.slice(-CHECKSUM_DIGITS)) !== BigInt(crc32(text))) return undefined;',
      put: '',
    },
  ]),
  ...faultsIn(`${HTTP}/body/json-guard`, [
    { name: 'take a key twice', find: 'if (keys?.has(key)) return', put: 'if (false) return' },
  ]),
  ...faultsIn(`${HTTP}/session-cookie`, [
    { name: 'one of two cookies is enough', find: 'found.length === 1 ?', put: 'found.length > 0 ?' },
    {
      name: 'any host is our own',
      find: '(host === site.host || LOOPBACK.test(host)) ? host : undefined',
      put: 'true ? host : undefined',
    },
  ]),
  ...faultsIn(`${HTTP}/cursors`, [
    {
      name: 'a cursor in another spelling',
      find: "if (bytes.toString('base64url') !== cursor) return undefined;",
      put: '',
    },
  ]),
  ...faultsIn(`${HTTP}/validation/rules`, [
    { name: 'the 30th of February', find: 'if (day > new Date(', put: 'if (40 < day && day > new Date(' },
  ]),
  ...faultsIn(`${HTTP}/authentication`, [
    {
      name: 'cache a credential that was revoked meanwhile',
      find: 'if (value && clearings === this.clearings) this.cached.set(secret, value);',
      put: 'if (value) this.cached.set(secret, value);',
    },
  ]),
  ...faultsIn(`${HTTP}/connections`, [
    {
      name: 'guess on beyond the limit of the address',
      find: 'isBeyondLimit ? MAX_FAILURES : 1',
      put: '1',
      test: `${HTTP}/rate-limits.spec.ts`,
    },
  ]),
  ...faultsIn(`${API}/panel/sessions/sign-in-limits`, [
    { name: 'each IPv6 address counts alone', find: 'address: prefix(4)', put: 'address: prefix(8)' },
  ]),
  ...faultsIn(`${API}/panel/keys/keys.controller`, [
    {
      name: 'revoke a key of another account',
      find: 'await this.keys.get(keyId, accountId);',
      put: '',
      test: RIGHTS,
    },
  ]),
  ...faultsIn(`${API}/panel/queues/queues.controller`, [
    {
      name: 'a printer of another account',
      find: 'this.printers.getPrinter(accountId, printerId)',
      put: 'this.printers.findPrinter(printerId)',
      test: RIGHTS,
    },
  ]),
  ...faultsIn(`${API}/agent/jobs/job.messages`, [
    { name: 'a range lacks its last byte', find: 'Number(to) + 1, size', put: 'Number(to), size' },
  ]),
  ...faultsIn(`${API}/polling`, [
    { name: 'wait without limit', find: 'Math.min(MAX_WAIT_SECONDS, Number(wait))', put: 'Number(wait)' },
  ]),
  ...faultsIn(`${API}/operator/export-import/event-import`, [
    {
      name: 'import with a gap',
      find: 'revision !== (ends.get(stream) ?? -1) + 1',
      put: 'revision <= (ends.get(stream) ?? -1)',
    },
  ]),
  ...faultsIn('src/api/changes', [
    {
      name: 'an account reads many pages at once',
      find: 'const READS = { ofProcess: 4, ofAccount: 1, ofOwner: 1,',
      put: 'const READS = { ofProcess: 4, ofAccount: 4, ofOwner: 4,',
    },
  ]),
  ...faultsIn('projections/printers/printers.queries', [
    {
      name: 'a printer of another tenant',
      find: 'return printer?.account_id === accountId ? printer : undefined;',
      put: 'return printer;',
    },
  ]),
  ...faultsIn('projections/printers/printers.projection', [
    {
      name: 'printers keep the old name of their computer',
      find: "'renames' in data ? (data.renames ?? []) : []",
      put: '[]',
    },
  ]),
  ...faultsIn('projections/webhook-deliveries/webhook-deliveries.projection', [
    { name: 'attempts without end', find: 'attempts.slice(1 - ATTEMPTS_SHOWN)', put: 'attempts' },
  ]),
  ...faultsIn('projections/accounts/accounts.projection', [
    {
      name: 'a closed account shows as suspended',
      find: "({ status: 'closed',",
      put: "({ status: 'suspended',",
    },
  ]),
  ...faultsIn('projections/credentials/credentials.projection', [
    {
      name: 'a revoked key shows as active',
      find: "case 'ApiKeyRevoked':\n        return document && { ...document, status: 'revoked', revoked_at: at };",
      put: "case 'ApiKeyRevoked':\n        return document;",
    },
  ]),
  ...faultsIn('projections/job-view/job-view.queries', [
    {
      name: 'show a job of another tenant',
      find: 'return job?.account_id === accountId ? job : undefined;',
      put: 'return job;',
      test: ISOLATION,
    },
    {
      name: 'hand a document to the computer of another tenant',
      find: 'return job?.computer_id === computerId ? job : undefined;',
      put: 'return job;',
      test: ISOLATION,
    },
  ]),
  ...faultsIn('src/processes/job-endings.process', [
    {
      name: 'a failed job never expires',
      find: "retryState === 'scheduled' ? schedule",
      put: 'false ? schedule',
      test: 'src/processes/job-endings.spec.ts',
    },
  ]),
  ...faultsIn('src/processes/webhook-deliveries.process', [
    {
      name: 'cancel the deliveries of a webhook for ever',
      find: "if (event.type === 'WebhookSettled') return [unschedule(webhookId)];",
      put: '',
    },
  ]),
  ...faultsIn('src/processes/presence-timeout.process', [
    {
      name: 'a disabled computer goes offline',
      find: "if (event.type !== 'ComputerCameOnline')",
      put: "if (event.type === 'ComputerWentOffline')",
    },
  ]),
];
