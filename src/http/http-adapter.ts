import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyServerOptions } from 'fastify';
import { Answer, BareAnswer } from './answer.js';

export interface HttpAdapterHooks {
  refuse(reply: FastifyReply, thrown: unknown): void;
  send(reply: FastifyReply, answer: Answer | BareAnswer): void | Promise<void>;
}

/** Nest's Fastify adapter, with our answers and our refusals; every error goes one way, whoever threw it. */
export class HttpAdapter extends FastifyAdapter {
  constructor(
    options: FastifyServerOptions,
    private readonly hooks: HttpAdapterHooks,
  ) {
    super(options);
  }

  override reply(...[response, body, status]: Parameters<FastifyAdapter['reply']>): FastifyReply {
    if (!(body instanceof Answer || body instanceof BareAnswer)) return super.reply(response, body, status);
    void this.hooks.send(response as FastifyReply, body);
    return response as FastifyReply;
  }

  /** Called by Nest with its own handlers; ours stand in their place. */
  override setErrorHandler() {
    return this.getInstance().setErrorHandler((error, _, reply) => this.hooks.refuse(reply, error));
  }

  override setNotFoundHandler() {
    return this.getInstance().setNotFoundHandler((_, reply) => this.hooks.refuse(reply, { statusCode: 404 }));
  }
}
