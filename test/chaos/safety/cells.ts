import { randomBytes, randomUUID } from 'node:crypto';
import { mintCredential } from '../../../src/kernel/credential.js';
import { idInputs, type IdInput } from './id-inputs.js';
import { idsFor } from './requests.js';
import type { Served } from './served.js';
import type { Ids, Tenant } from './tenant.js';

/** Kind of resource named by an input, with an unknown and a malformed value. */
interface Kind {
  readonly random: () => string;
  readonly malformed: readonly string[];
  /** Any holder may use it, or the client chooses it: no value belongs to another account. */
  readonly unowned?: boolean;
}

const ID = '019a8f3e-5b7c-7d21-9c44-0a1b2c3d4e5f';

const resource: Kind = {
  random: randomUUID,
  malformed: [
    'x',
    `${ID}0`,
    ID.slice(1),
    `{${ID}}`,
    '../..',
    "' or 1=1 --",
    '$ne',
    '%00',
    ID.replaceAll('-', ''),
  ],
};
const sealed: Kind = {
  random: () => randomBytes(64).toString('base64url'),
  malformed: ['!', 'a b', 'A'.repeat(257), ''],
};
const key: Kind = {
  random: randomUUID,
  malformed: ['short', 'with space', 'ü'.repeat(8), 'x'.repeat(129)],
};
const words: Kind = { random: randomUUID, malformed: ['', 'a\u0007', 'x'.repeat(201)] };
const secret: Kind = {
  random: () => mintCredential('svc_enroll_live_', randomUUID(), randomBytes(32)),
  malformed: ['x', 'svc_enroll_live_', `svc_enroll_live_${'0'.repeat(71)}`],
  unowned: true,
};
/** The target of a webhook: another account's value is equally valid. */
const address: Kind = {
  random: () => `http://127.0.0.1:9/${randomUUID()}`,
  malformed: ['', 'nowhere', 'ftp://127.0.0.1/', 'http://me@127.0.0.1/', 'http://127.0.0.1/#x'],
};
/** States what the client holds; the answer concerns the resource of the path. */
const claim: Kind = { random: () => `W/"${randomUUID()}"`, malformed: [], unowned: true };

/** Made by the agent and compared only with its own computer's: another computer's value is equally valid. */
const start: Kind = { ...resource, unowned: true };

const KINDS: Readonly<Record<string, Kind>> = {
  account_id: resource,
  device_id: resource,
  computer_id: resource,
  printer_id: resource,
  job_id: resource,
  lease_id: resource,
  session_id: resource,
  start_id: start,
  event_id: resource,
  installation_id: resource,
  webhook_id: resource,
  delivery_id: resource,
  url: address,
  cursor: sealed,
  'Idempotency-Key': key,
  external_id: words,
  printer_key: words,
  enrollment_token: secret,
  'If-None-Match': claim,
  'If-Range': claim,
};

/**
 * Keys are checked before the state: if a success would change the next cell's resource, the test uses one
 * whose state refuses.
 */
const SETTLED: Readonly<Record<string, { input: IdInput; value: (caller: Tenant) => string }>> = {
  'retryPrintJob Idempotency-Key': {
    input: { in: 'path', name: 'job_id', at: [] },
    value: ({ ids }) => ids.job_id!,
  },
  'reportEvents event_id': {
    input: { in: 'body', name: 'job_id', at: ['events', 0, 'job_id'] },
    value: ({ dead }) => dead.job_id!,
  },
};

export type Relation = 'sibling' | 'foreign';

/** One request, and the one it must be indistinguishable from. */
export interface Cell {
  readonly served: Served;
  readonly label: string;
  readonly inputs: readonly IdInput[];
  readonly given: readonly string[];
  /** Values of the request to compare with; absent: a refusal by form, the same for each. */
  readonly likeRandom: (() => readonly string[]) | undefined;
}

/** @throws for an input without a rule */
export function kindOf({ id }: Served, { name }: IdInput): Kind {
  const kind = KINDS[name];
  if (!kind) throw new Error(`${id}: ${name} looks like it names something; give it a kind in cells.ts`);
  return kind;
}

/** Every foreign use of an operation's ids: each input alone with a foreign or dead value, and all together. */
export function cellsOf(served: Served, caller: Tenant, others: Readonly<Record<Relation, Tenant>>): Cell[] {
  const inputs = namingInputs(served);
  const alone = inputs.flatMap((input) => foreignCells(served, input, caller, others));
  return [...alone, ...togetherCells(served, inputs, caller, others)];
}

/** Each input alone with malformed values, which have the same form for every caller. */
export function malformedCells(served: Served, caller: Tenant): Cell[] {
  return namingInputs(served).flatMap((input) => {
    const kind = kindOf(served, input);
    const cell = cellMaker(served, input, caller);
    const isSought = input.in === 'path' || kind === secret;
    return kind.malformed
      .filter((value) => !(input.in === 'path' && value === ''))
      .map((value) => cell(`malformed ${value.slice(0, 12)}`, value, isSought));
  });
}

const namingInputs = (served: Served) =>
  idInputs(served).filter((input) => kindOf(served, input).random !== claim.random);

/** Makes cells of one input; with `hasLike` they must be answered like a random value. */
function cellMaker(served: Served, input: IdInput, caller: Tenant) {
  const settled = SETTLED[`${served.id} ${input.name}`];
  const besides = settled ? [settled.input] : [];
  const values = settled ? [settled.value(caller)] : [];
  return (label: string, value: string, hasLike: boolean): Cell => ({
    served,
    label: `${served.id} ${input.in} ${input.at.join('.') || input.name}: ${label}`,
    inputs: [input, ...besides],
    given: [value, ...values],
    likeRandom: hasLike ? () => [kindOf(served, input).random(), ...values] : undefined,
  });
}

function foreignCells(
  served: Served,
  input: IdInput,
  caller: Tenant,
  others: Readonly<Record<Relation, Tenant>>,
): Cell[] {
  const kind = kindOf(served, input);
  const cell = cellMaker(served, input, caller);
  const relations = (Object.keys(others) as Relation[]).filter((each) => isForeign(served, input, each));
  const mine = idsFor(served, caller)[input.name];
  const living = kind.unowned ? [] : relations.map((each) => [each, idsFor(served, others[each])] as const);
  const dead = relations.map((each) => [`dead, ${each}`, deadOf(served, others[each])] as const);
  return [...living, ...dead].flatMap(([label, ids]) => {
    const value = ids[input.name];
    return value === undefined || value === mine ? [] : [cell(label, value, true)];
  });
}

/** Dead resources of the same owner: ids given once are not repeated as dead ones. */
function deadOf(served: Served, tenant: Tenant): Ids {
  const living = [tenant.ids, idsFor(served, tenant)];
  return Object.fromEntries(
    Object.entries(tenant.dead).filter(([name, value]) => living.every((ids) => ids[name] !== value)),
  );
}

/** A partner's other account is its own too; the test still checks which resource belongs where. */
function isForeign({ surface }: Served, { name, in: place }: IdInput, relation: Relation): boolean {
  if (surface !== 'partner' || relation === 'foreign') return true;
  return !(name === 'account_id' || (name === 'external_id' && place === 'body'));
}

/** Another tenant's whole request, with one's own credential. */
function togetherCells(
  served: Served,
  inputs: readonly IdInput[],
  caller: Tenant,
  others: Readonly<Record<Relation, Tenant>>,
): Cell[] {
  const resources = inputs.filter((input) => kindOf(served, input) === resource);
  const whole = resources.filter((input) => input.in !== 'query');
  if (resources.length < 2) return [];
  const relations = (Object.keys(others) as Relation[]).filter(
    (relation) => served.surface !== 'partner' || relation === 'foreign',
  );
  const all = relations.map((relation) => ({
    served,
    label: `${served.id} all: ${relation}`,
    inputs: whole,
    given: whole.map(({ name }) => idsFor(served, others[relation])[name]!),
    likeRandom: () => whole.map(() => randomUUID()),
  }));
  return served.surface === 'partner' ? [...all, misplaced(served, resources, caller, others.sibling)] : all;
}

/** Resources of one account, requested in the partner's other account. */
function misplaced(served: Served, inputs: readonly IdInput[], caller: Tenant, sibling: Tenant): Cell {
  const inSibling = (other: () => string) =>
    inputs.map(({ name }) => (name === 'account_id' ? sibling.accountId : other()));
  const mine = idsFor(served, caller);
  return {
    served,
    label: `${served.id} all: in the other account of the partner`,
    inputs,
    given: inputs.map(({ name }) => (name === 'account_id' ? sibling.accountId : mine[name]!)),
    likeRandom: () => inSibling(randomUUID),
  };
}
