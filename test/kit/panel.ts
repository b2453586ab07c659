import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { PasswordHasher } from '../../src/contexts/members/password-hasher.js';
import type { Answered } from './http/client.js';
import type { TestService } from './service.js';
import type { Reachable } from './world.js';

export const PASSWORD = 'an umbrella in the rain';

export interface SignedInMember {
  readonly memberId: string;
  readonly signInName: string;
  readonly browser: Browser;
}

/** A browser with one tab on a page of the service: it keeps the session cookie and sends what browsers send. */
export class Browser {
  /** `name=value`; empty when signed out. */
  cookie = '';
  /** The cookie of a browser that signed in before; empty in a new one. */
  known = '';

  constructor(private readonly service: Reachable) {}

  async call(
    method: string,
    path: string,
    json?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    const cookie = [this.cookie, this.known].filter(Boolean).join('; ');
    const sent = { 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }), ...headers };
    const answered = await this.service.call(method, path, { headers: sent, ...(json && { json }) });
    for (const set of answered.headers.getSetCookie()) {
      const pair = set.split(';')[0]!;
      if (pair.startsWith('svc_known')) this.known = pair;
      else this.cookie = set.includes('Max-Age=0') ? '' : pair;
    }
    return answered;
  }

  get(path: string): Promise<Answered> {
    return this.call('GET', path);
  }

  post(path: string, json: object = {}): Promise<Answered> {
    return this.call('POST', path, json);
  }

  /** Enters the address of a link and presses its button. */
  useLink(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
    return this.call('POST', '/panel/session/link', { token: tokenOf(url) }, headers);
  }

  signIn(
    sign_in_name: string,
    password: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    return this.call('POST', '/panel/session', { sign_in_name, password }, headers);
  }

  /** The `session` of GET /session; null when signed out. */
  async session(): Promise<Record<string, unknown> | null> {
    return (await this.get('/panel/session')).body.data!.session as Record<string, unknown> | null;
  }
}

export const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

/** Invites a member as the operator. Resolves to the member and the address of the link. */
export async function invite(service: Reachable, accountId: string, name: string, role: string) {
  const invited = await service.operate('POST', `/accounts/${accountId}/members`, { name, role });
  const { url } = invited.link as { url: string };
  return { memberId: String(invited.member_id), signInName: String(invited.sign_in_name), url };
}

/** A member who has used the link of the invitation. */
export async function joined(
  service: Reachable,
  accountId: string,
  name: string,
  role: string,
): Promise<SignedInMember> {
  const { url, ...member } = await invite(service, accountId, name, role);
  const browser = new Browser(service);
  const answered = await browser.useLink(url);
  if (answered.status !== 200) throw new Error(`not signed in: ${answered.text}`);
  return { ...member, browser };
}

/** A browser of an operator who has used a link of `rps panel link`. */
export async function operatorBrowser(service: Reachable, name = 'olga'): Promise<Browser> {
  const { url } = await service.operate('POST', '/panel-links', { name });
  const browser = new Browser(service);
  await browser.useLink(String(url));
  return browser;
}

/** Replaces scrypt, which takes half a second by design (password-hasher.spec.ts tests the real one). */
export function hashQuickly({ service }: TestService, compute: Compute = quickHash): void {
  Object.assign(service.app.get(PasswordHasher, { strict: false }), { compute });
}

type Compute = (password: string, salt: Uint8Array) => Promise<Buffer>;

export const quickHash: Compute = async (password, salt) =>
  createHash('sha256').update(salt).update(password).digest();

/** Sends a POST with another `Host`, which fetch does not allow. Resolves to status and code. */
export function postWithHost(url: string, host: string, cookie: string, json: object): Promise<string> {
  const headers = { host, cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve(`${answer.statusCode} ${(JSON.parse(text) as { code: string }).code}`));
    });
    sent.on('error', reject).end(JSON.stringify(json));
  });
}
