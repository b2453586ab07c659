import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { createHmac } from 'node:crypto';
import { cookie, cookieOf, type Site, siteOf } from '../../../http/session-cookie.js';
import { hashCredential, isCredential } from '../../../kernel/credential.js';
import { MasterKey } from '../../../kernel/sealing.js';
import { PUBLIC_ADDRESS, type PublicAddress } from '../../panel-links.js';

const NAME = 'svc_known';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Browsers in which a member signed in before, whose passwords are hashed before those of strangers. The cookie is the
 * member's id with a MAC; it gives no right.
 */
@Injectable()
export class KnownBrowsers {
  private readonly key: Uint8Array;
  private readonly site: Site;

  constructor(masterKey: MasterKey, @Inject(PUBLIC_ADDRESS) address: PublicAddress) {
    this.key = masterKey.derive('known-browsers');
    this.site = siteOf(address.publicUrl);
  }

  /** Id of the member who signed in with this browser last. */
  memberOf(request: FastifyRequest): string | undefined {
    const value = cookieOf(request, this.site, NAME) ?? '';
    const [memberId = ''] = value.split('.');
    return isCredential(value, hashCredential(this.valueFor(memberId))) ? memberId : undefined;
  }

  cookieFor(request: FastifyRequest, memberId: string): string {
    return cookie(request, this.site, {
      purpose: NAME,
      value: this.valueFor(memberId),
      maxAge: YEAR_SECONDS,
    });
  }

  private valueFor(memberId: string): string {
    return `${memberId}.${createHmac('sha256', this.key).update(memberId).digest('base64url')}`;
  }
}
