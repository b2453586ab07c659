import type { FastifyInstance } from 'fastify';
import { jwkOf } from '../kernel/signing-key.js';

/** Public keys of webhooks for everybody, as RFC 7517 and RFC 8615 place them. */
export function serveKeySet(fastify: FastifyInstance, publicKeys: readonly Uint8Array[]): void {
  const keys = new Map(publicKeys.map(jwkOf).map((key) => [key.kid, key]));
  const body = JSON.stringify({ keys: [...keys.values()] });
  fastify.get('/.well-known/jwks.json', (_, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(body),
  );
}
