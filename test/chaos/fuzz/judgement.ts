import { ANSWERED_BY_ITEM } from '../safety/id-inputs.js';
import type { Answered } from '../../kit/http/client.js';
import { bodySchema, needsCredential, type Served } from '../safety/served.js';
import type { Fuzzed, Spoilt } from './fuzzed-request.js';

/** Rules that JSON Schema cannot express; breaking one of them alone still gives a 400. */
const BEYOND_SCHEMA = [
  /^Integers must lie within/,
  /^Numbers must be finite/,
  /well-formed/,
  /^cursor must be/,
  /^after must be now or/,
  /strict Base64|whole PDF|at least 1 byte/,
  /^expires_at must be in the future/,
  /date-time with a time zone/,
  /^installation_id must be the enrolled one/,
  /^printers must have different/,
  /^enabled or display_name must be given/,
  /^url must /,
  /^url, event_types, description, status, ordered or rotate_secret must be given/,
  /^recover requires status active/,
  /^since must (not be later|be a)/,
  /^event_types must have one of the webhook/,
  /^The key "\w+" is not allowed/,
  /^session_id is required/,
  /in ascending order/,
  /cannot be given for raw content/,
];

/** Statuses of form and authority, which a valid request never gets in any state. */
const NEVER_TO_THE_RIGHT = [400, 401, 405, 413, 415, 416, 429];

/** Problems of an answer; empty if there are none. */
export class Judgement {
  constructor(private readonly operations: readonly Served[]) {}

  problems(served: Served, fuzzed: Fuzzed, sent: Spoilt, answered: Answered): string[] {
    const { status } = answered;
    const problems = status >= 500 && status !== 503 ? [`${status}: the service failed`] : [];
    const routed = this.#routeOf(sent);
    problems.push(...(routed ? described(routed, answered) : this.#unrouted(sent, answered)));
    if (routed === served) problems.push(...expectations(served, fuzzed, sent, answered));
    return problems;
  }

  /** The operation of a path and method, as routed. */
  #routeOf({ method, path }: Spoilt): Served | undefined {
    if (!isReadable(path)) return undefined;
    return this.operations.find((one) => one.method === method && patternOf(one).test(bare(path)));
  }

  #unrouted({ method, path }: Spoilt, { status, headers, body, text }: Answered): string[] {
    const problems: string[] = [];
    const here = isReadable(path) ? this.operations.filter((one) => patternOf(one).test(bare(path))) : [];
    const asGet = method === 'HEAD' && here.some((one) => one.method === 'GET');
    if (!asGet && ![400, 404, 405].includes(status)) problems.push(`${status} where nothing is: ${text}`);
    if (status === 405) {
      const allowed = (headers.get('allow') ?? '').split(', ');
      const missing = here.filter((one) => !allowed.includes(one.method));
      if (missing.length > 0)
        problems.push(`Allow: ${allowed.join()} lacks ${missing.map((one) => one.method).join()}`);
    } else if (!asGet && here.length > 0 && isPlain(path) && status !== 400) {
      problems.push(`${status} instead of 405 for ${method}`);
    }
    if (method !== 'HEAD' && typeof body.code !== 'string') problems.push(`no code: ${text}`);
    return problems;
  }
}

const isPlain = (path: string) => /^(\/[\w.-]+)+(\?|$)/.test(path);

/** Malformed or overlong path segments match no route. */
function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(bare(path))
      .split('/')
      .every((part) => part.length <= MAX_PART);
  } catch {
    return false;
  }
}

const MAX_PART = 1_024;

const patterns = new Map<string, RegExp>();

function patternOf({ path }: Served): RegExp {
  let pattern = patterns.get(path);
  if (!pattern) {
    pattern = new RegExp(`^/v1${path.replace(/\{\w+\}/g, '[^/?#]*')}$`);
    patterns.set(path, pattern);
  }
  return pattern;
}

const bare = (path: string) => path.split(/[?#]/)[0]!;

function described({ document, id }: Served, answered: Answered): string[] {
  return document.problems(id, answered);
}

/** A mutation outside the body: its status may come before the body is checked. */
const ELSEWHERE = ['credential', 'query', 'header', 'param', 'path', 'method'] as const;

function expectations(served: Served, { mutations }: Fuzzed, { json }: Spoilt, answered: Answered): string[] {
  const { status, body } = answered;
  const kinds = new Set(mutations.map(({ on }) => on));
  const isExcused = BEYOND_SCHEMA.some((rule) => rule.test(String(body.message)));
  if (kinds.size === 0) return isExcused ? [] : refusalOfTheRight(served, status);
  if (kinds.size === 1 && kinds.has('credential')) return credentialProblems(served, mutations, status);
  const schema = bodySchema(served);
  if (!schema || json === undefined || ELSEWHERE.some((kind) => kinds.has(kind))) return [];
  const broken = served.document
    .violations(schema, json)
    .filter((violation) => !ANSWERED_BY_ITEM.has(served.id) || !violation.startsWith('/jobs/'));
  if (broken.length > 0) return status < 400 ? [`${status} although ${broken.join()}`] : [];
  return status === 400 && !isExcused ? [`400 although the schema allows it`] : [];
}

/** Without a required credential, a 401 concerns the token in the request. */
function refusalOfTheRight(served: Served, status: number): string[] {
  if (status === 401 && !needsCredential(served)) return [];
  return NEVER_TO_THE_RIGHT.includes(status) ? [`a right request gets ${status}`] : [];
}

/** The first credential is the valid one; it is irrelevant for public operations. */
function credentialProblems(served: Served, mutations: Fuzzed['mutations'], status: number): string[] {
  const [mutation] = mutations;
  const isRight = mutation?.on === 'credential' && mutation.nth % CREDENTIALS === 0;
  if (isRight || !needsCredential(served)) return status === 401 && needsCredential(served) ? ['401'] : [];
  return status === 401 ? [] : [`${status} without a credential`];
}

/** Number of credentials: the valid one, and five invalid ones. */
export const CREDENTIALS = 6;
