import { faultsIn } from './faults.mjs';

const ACCOUNTS = 'src/contexts/accounts/domain';
const DEVICES = 'src/contexts/devices/domain';
const MEMBERS = 'src/contexts/members/domain';
const RECOVERY = 'src/contexts/recovery/domain';
const WEBHOOKS = 'src/contexts/webhooks';

/** Faults in the decisions of the other contexts. */
export const contexts = [
  ...faultsIn(`${ACCOUNTS}/account.decider`, [
    {
      name: 'change a closed account',
      find: "return account.status === 'closed' ? reject({ code: 'AccountClosed' }) : change(account, command);",
      put: 'return change(account, command);',
    },
    {
      name: 'a limit of null changes nothing',
      find: 'changes.jobsPerMonth === undefined ? plan.jobsPerMonth : changes.jobsPerMonth',
      put: 'changes.jobsPerMonth ?? plan.jobsPerMonth',
    },
  ]),
  ...faultsIn(`${ACCOUNTS}/partner.decider`, [
    { name: 'a test credential with any scope', find: "credential.kind === 'test' && tooMuch", put: 'false' },
  ]),
  ...faultsIn('src/contexts/claims/domain/claim.decider', [
    { name: 'a claim outlives its expiry', find: 'at < state.expiresAt', put: 'at <= state.expiresAt' },
    {
      name: 'a claim without expiry is free',
      find: '(state.expiresAt === undefined || at < state.expiresAt)',
      put: 'state.expiresAt !== undefined && at < state.expiresAt',
    },
  ]),
  ...faultsIn(`${DEVICES}/enrollment.decider`, [
    {
      name: 'a claimed token enrols another installation',
      find: 'if (enrollment.installationId === installationId) return accept();',
      put: 'return accept();',
    },
    {
      name: 'an expired token enrols',
      find: "'expiresAt' in enrollment && at < enrollment.expiresAt",
      put: "'expiresAt' in enrollment",
    },
  ]),
  ...faultsIn(`${DEVICES}/computer.credential`, [
    {
      name: 'renew a credential at any time',
      find: "if (!isRenewalDue(computer, at)) return reject({ code: 'CredentialNotDue' });",
      put: '',
    },
  ]),
  ...faultsIn(`${DEVICES}/computer.presence`, [
    {
      name: 'a call brings a disabled computer online',
      find: "return computer.status === 'offline' ? withPrinters(computer, cameOnline) : [];",
      put: "return computer.status === 'online' ? [] : withPrinters(computer, cameOnline);",
      test: `${DEVICES}/computer.decider.spec.ts`,
    },
  ]),
  ...faultsIn(`${MEMBERS}/member.decider`, [
    {
      name: 'demote the last owner',
      find: "if (isLastOwner(all, member)) return reject({ code: 'LastOwner' });\n  return",
      put: 'return',
    },
    {
      name: 'give a name to a second person',
      find: "if (Object.hasOwn(all.names, details.name)) return reject({ code: 'NameTaken' });",
      put: '',
    },
  ]),
  ...faultsIn(`${MEMBERS}/panel-link.decider`, [
    {
      name: 'a link signs in twice',
      find: "if (link.status === 'used') return reject({ code: 'LinkUsed' });",
      put: '',
    },
  ]),
  ...faultsIn('src/contexts/members/password-hasher', [
    {
      name: 'known browsers wait behind guesses',
      find: '(isKnown ? 0 : attempts)',
      put: 'attempts',
      test: 'src/contexts/members/hash-queue.spec.ts',
    },
  ]),
  ...faultsIn('src/contexts/operators/domain/operator-token.decider', [
    {
      name: 'the first operator token stays',
      find: 'state.hash === hash ? accept()',
      put: 'state.hash !== undefined ? accept()',
    },
    {
      name: 'store an operator token at each start',
      find: 'state.hash === hash ? accept() : accept(',
      put: 'accept(',
    },
  ]),
  ...faultsIn(`${RECOVERY}/rollback-alarm.decider`, [
    {
      name: 'an alarm without end',
      find: 'alarmUntil !== undefined && at < alarmUntil',
      put: 'alarmUntil !== undefined',
    },
  ]),
  ...faultsIn(`${RECOVERY}/restores.decider`, [
    {
      name: 'record a restore twice',
      find: 'if (newest?.backupAt === backupAt) return accept();',
      put: '',
    },
  ]),
  ...faultsIn(`${RECOVERY}/position`, [
    {
      name: 'positions sort by the first digit',
      find: "String(revision).padStart(REVISION_DIGITS, '0')",
      put: 'String(revision)',
    },
  ]),
  ...faultsIn(`${WEBHOOKS}/domain/delivery.decider`, [
    {
      name: 'an older attempt decides the newer one',
      find: "status === 'delivering' && attempts === attempt",
      put: "status === 'delivering'",
    },
  ]),
  ...faultsIn(`${WEBHOOKS}/domain/delivery.policy`, [
    {
      name: 'Retry-After without limit',
      find: 'Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)',
      put: 'retryAfterMs',
      test: `${WEBHOOKS}/domain/delivery.decider.spec.ts`,
    },
  ]),
  ...faultsIn(`${WEBHOOKS}/domain/endpoint.decider`, [
    {
      name: 'test a paused webhook',
      find: "if (webhook.status === 'paused') return reject({ code: 'WebhookPaused' });",
      put: '',
    },
  ]),
  ...faultsIn(`${WEBHOOKS}/signature`, [
    {
      name: 'sign without the body',
      find: 'Buffer.concat([Buffer.from(`${head}.`), body])',
      put: 'Buffer.from(`${head}.`)',
    },
  ]),
  ...faultsIn(`${WEBHOOKS}/client/target/address-rule`, [
    {
      name: 'a mapped address passes the network that the operator denies',
      find: 'denied(address) ?? denied(ipaddr.process(text))',
      put: 'denied(address)',
    },
  ]),
  ...faultsIn(`${WEBHOOKS}/fan-out/endpoints-at`, [
    {
      name: 'deliver to webhooks that came later',
      find: '.filter((event) => event.position <= position)',
      put: '',
    },
  ]),
  ...faultsIn('src/async/shared-pool', [
    {
      name: 'one account takes all slots for deliveries',
      find: 'this.heldBy.of(owner) < this.size - this.held',
      put: 'this.held < this.size',
      test: `${WEBHOOKS}/dispatch/delivery-scheduler.spec.ts`,
    },
  ]),
  ...faultsIn(`${WEBHOOKS}/dispatch/endpoint-queue`, [
    {
      name: 'a silent endpoint keeps four slots',
      find: 'this.timeouts >= TIMEOUTS_TO_NARROW ? NARROW : WIDE',
      put: 'WIDE',
      test: `${WEBHOOKS}/dispatch/delivery-scheduler.spec.ts`,
    },
  ]),
];
