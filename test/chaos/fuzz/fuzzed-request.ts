import fc from 'fast-check';
import { bodySchema, type Schema, type Served } from '../safety/served.js';
import { mutationsFor, type Mutation } from './mutations.js';
import type { Sent } from './raw-client.js';
import { valueOf, type Pool } from './valid-values.js';

/** A valid request and its mutations. */
export interface Fuzzed {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly mutations: readonly Mutation[];
}

const headerText = fc.string({ unit: fc.constantFrom(...'aZ09.:_-"*, ;=é'), maxLength: 140 });

export function fuzzedRequests(served: Served, pool: Pool): fc.Arbitrary<Fuzzed> {
  const { document, operation } = served;
  const inputs = (place: string) => {
    const found = operation.parameters.filter((each) => each.in === place);
    const fields = found.map(({ name, schema }) => [
      name,
      place === 'header' && !('pattern' in schema)
        ? (pool(name) ?? headerText)
        : valueOf(document, schema as Schema, name, pool),
    ]);
    return Object.fromEntries(fields) as Record<string, fc.Arbitrary<string>>;
  };
  const schema = bodySchema(served);
  const given = schema && valueOf(document, schema, 'body', pool);
  const absent = fc.constant(undefined);
  const body = !given
    ? absent
    : operation.requestBody!.required
      ? given
      : fc.option(given, { nil: undefined });
  const requiredKeys = operation.parameters.filter((each) => 'required' in each && each.required === true);
  const required = (place: string) =>
    requiredKeys.filter((each) => each.in === place).map(({ name }) => name);
  return fc.record({
    params: fc.record(inputs('path')),
    query: fc.record(inputs('query'), { requiredKeys: required('query') }),
    headers: fc.record(inputs('header'), { requiredKeys: required('header') }),
    body,
    mutations: mutationsFor(given !== undefined),
  });
}

export interface Spoilt extends Sent {
  /** The body if it is sent as unmutated JSON. */
  readonly json: unknown;
}

/** The request to send, with its mutations applied. */
export function spoilt(served: Served, fuzzed: Fuzzed, credentials: readonly (string | undefined)[]): Spoilt {
  const { mutations } = fuzzed;
  const of = <M extends Mutation['on']>(...kinds: M[]) =>
    mutations.filter((each): each is Extract<Mutation, { on: M }> => (kinds as string[]).includes(each.on));
  const json = of('field', 'drop', 'extra').reduce(edited, fuzzed.body);
  const asJson = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
  const untouched = of('bytes', 'body').length === 0;
  const raw = of('body').reduce<Buffer | undefined>((_, { raw: text }) => Buffer.from(text), asJson);
  const body = of('bytes').reduce(cut, raw);
  const secret = credentials[(of('credential')[0]?.nth ?? 0) % credentials.length];
  const authorization =
    of('credential').length > 0 || served.operation.security.length > 0 ? secret : undefined;
  const headers: Record<string, string | string[]> = {
    ...(body && { 'content-type': 'application/json' }),
    ...(authorization && { authorization: `Bearer ${authorization}` }),
    ...lowerCase(fuzzed.headers),
  };
  for (const { name, value } of of('header')) {
    if (value === undefined) delete headers[name];
    else headers[name] = value;
  }
  const method = of('method').at(-1)?.method ?? served.method;
  const path = pathOf(served, fuzzed, of('param'), of('path'), of('query'));
  return { method, path, headers, body, json: untouched ? json : undefined };
}

const lowerCase = (headers: Fuzzed['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function pathOf(
  { path }: Served,
  { params, query }: Fuzzed,
  onParams: readonly { nth: number; value: string }[],
  onPath: readonly { suffix: string }[],
  onQuery: readonly { name: string; value: string }[],
): string {
  const names = Object.keys(params);
  const changed = new Map(onParams.map(({ nth, value }) => [names[nth % names.length], value]));
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => changed.get(name) ?? encodeURIComponent(params[name]!),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const pairs = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const all = [...pairs, ...onQuery.map(({ name, value }) => `${encodeURIComponent(name)}=${value}`)];
  const suffix = onPath.map((each) => each.suffix).join('');
  return `/v1${filled}${suffix}${all.length > 0 ? `?${all.join('&')}` : ''}`;
}

function cut(
  body: Buffer | undefined,
  { at, cut: length, insert }: { at: number; cut: number; insert: string },
) {
  const whole = body ?? Buffer.alloc(0);
  const place = whole.length === 0 ? 0 : at % whole.length;
  return Buffer.concat([
    whole.subarray(0, place),
    Buffer.from(insert, 'latin1'),
    whole.subarray(place + length),
  ]);
}

type Holder = Record<string, unknown>;

/** Every path to a value in a JSON value. */
function placesOf(value: unknown): (readonly [Holder, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => [[holder, key] as const, ...placesOf(holder[key])]);
}

function edited(
  body: unknown,
  { on, nth, name, value }: Extract<Mutation, { on: 'field' | 'drop' | 'extra' }>,
): unknown {
  const copy: unknown = structuredClone(body);
  if (on === 'extra') {
    const holders = [copy, ...placesOf(copy).map(([holder, key]) => holder[key])].filter(
      (each): each is Holder => typeof each === 'object' && each !== null && !Array.isArray(each),
    );
    const holder = holders[nth % holders.length];
    if (holder)
      Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
    return copy;
  }
  const places = placesOf(copy);
  const [holder, key] = places[nth % places.length] ?? [];
  if (!holder) return on === 'field' ? value : copy;
  if (on === 'field') holder[key!] = value;
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key!];
  return copy;
}
