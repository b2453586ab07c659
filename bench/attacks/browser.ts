import type { ServiceProcess } from '../programs/service.js';
import { call } from '../world.js';
import { ask, type Answer } from './ask.js';

/** For attacks whose clients name their address in `X-Forwarded-For`. */
export const TRUSTED = { TRUSTED_PROXIES: '127.0.0.0/8' };

/** Browser of a member: sends its cookies, and the address as a trusted proxy would. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(
    private readonly url: string,
    private readonly address: string,
  ) {}

  get headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return {
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': this.address,
      ...(cookie && { cookie }),
    };
  }

  async post(path: string, body: object): Promise<Answer> {
    const headers = { ...this.headers, 'content-type': 'application/json' };
    const question = { method: 'POST', path: `/v1/panel${path}`, headers, body: JSON.stringify(body) };
    const answer = await ask(this.url, question);
    for (const cookie of answer.cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value) this.cookies.set(name!, value);
      else this.cookies.delete(name!);
    }
    return answer;
  }

  /** Like `post`. @throws Error if the answer is not 200 */
  async postOk(path: string, body: object): Promise<void> {
    const { status } = await this.post(path, body);
    if (status !== 200) throw new Error(`POST /v1/panel${path} answered ${status}`);
  }
}

export interface Invited {
  readonly memberId: string;
  readonly signInName: string;
  /** Secret of the sign-in link. */
  readonly token: string;
}

const tokenOf = ({ url }: { url: string }) => url.slice(url.indexOf('svc_link_'));

export async function invite(
  { url, operatorToken }: ServiceProcess,
  accountId: string,
  name: string,
): Promise<Invited> {
  type Answered = { member_id: string; sign_in_name: string; link: { url: string } };
  const path = `/operator/accounts/${accountId}/members`;
  const body = { name, role: 'owner' };
  const made = await call<Answered>(url, operatorToken, 'POST', path, body);
  return { memberId: made.member_id, signInName: made.sign_in_name, token: tokenOf(made.link) };
}

/** A new sign-in link of a member. */
export async function linkOf({ url, operatorToken }: ServiceProcess, memberId: string): Promise<string> {
  type Answered = { link: { url: string } };
  const path = `/operator/members/${memberId}/link`;
  return tokenOf((await call<Answered>(url, operatorToken, 'POST', path, {})).link);
}
