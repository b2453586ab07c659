import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { hashCredential, mintCredential } from '../kernel/credential.js';
import { Randomness } from '../kernel/ids.js';
import { Clock, type Instant, plus } from '../kernel/time.js';

/** Seconds that a link is valid. */
export const LINK_TTL = { operator: 600, renewed: 1_800, invitation: 259_200 } as const;

export interface MintedLink {
  readonly stored: { readonly hash: string; readonly expiresAt: Instant };
  readonly shown: { readonly url: string; readonly expires_at: Instant };
}

/** Provider token of the address of the service as others see it. */
export const PUBLIC_ADDRESS = Symbol('public address');

export interface PublicAddress {
  /** PUBLIC_URL; undefined if it is not set. */
  readonly publicUrl: string | undefined;
}

/** Makes sign-in links. The secret is in the fragment, which browsers send to nobody. */
@Injectable()
export class PanelLinks {
  constructor(
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  mint(linkId: string, ttlSeconds: number, request: FastifyRequest): MintedLink {
    const secret = mintCredential('svc_link_live_', linkId, this.randomness.bytes(32));
    const expiresAt = plus(this.clock.now(), ttlSeconds * 1000);
    const url = `${this.address.publicUrl ?? listenerOf(request)}/panel/#/enter/${secret}`;
    return { stored: { hash: hashCredential(secret), expiresAt }, shown: { url, expires_at: expiresAt } };
  }
}

/** Address of the listener that took the request, for browsers of the same machine. */
function listenerOf({ socket }: FastifyRequest): string {
  return `http://127.0.0.1:${socket.localPort ?? 80}`;
}
