import { Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BareAnswer } from '../../../http/answer.js';
import { operationsOf } from '../../../http/operation.js';
import { Caller, onHangUp } from '../../../http/request.js';
import { panel } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';
import { LiveFeeds } from './live-feeds.js';

const EVENT_STREAM = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

const Operation = operationsOf(panel, { tag: 'Jobs' });

@Controller()
export class FeedController {
  constructor(private readonly feeds: LiveFeeds) {}

  @Operation({
    id: 'openFeed',
    route: 'GET /v1/panel/feed',
    summary: 'Follow what changes',
    description:
      'Server-sent events: `changed` lists the ids of changed jobs, computers, printers, webhooks and deliveries, ' +
      '`resync` asks to read everything again. At most four feeds of a session are open, forty of an account.',
    scopes: ['jobs:read'],
    limit: { perMinute: 60 },
    success: { status: 200, description: 'The feed, until one side closes it.', media: 'text/event-stream' },
  })
  open(@Caller() caller: MemberPrincipal, @Req() request: FastifyRequest) {
    const feed = this.feeds.open(caller);
    onHangUp(request, () => feed.destroy());
    return new BareAnswer(200, feed, EVENT_STREAM);
  }
}
