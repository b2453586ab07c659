import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChooseMemberTheme, type Theme, THEMES } from '../../../contexts/members/index.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller, RequestOrigin } from '../../../http/request.js';
import { Field } from '../../../http/validation/field.js';
import { oneOf } from '../../../http/validation/rules.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { panel } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';

/** Colours of the pages for one member, in every browser. */
export class ChosenTheme {
  @Field(oneOf(...THEMES)) theme!: Theme;

  static readonly example: ChosenTheme = { theme: 'dark' };
}

const Operation = operationsOf(panel, { tag: 'Session', callers: ['member'] });

/** The browser stores nothing but the cookie, so the choice is the member's. */
@Controller()
export class ThemeController {
  constructor(
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'chooseTheme',
    route: 'PUT /v1/panel/session/theme',
    summary: 'Choose the colours of the pages',
    limit: { perMinute: 20 },
    body: ChosenTheme,
    requestExample: ChosenTheme.example,
    success: ok('The choice.', ChosenTheme),
  })
  async choose(
    @Body() { theme }: ChosenTheme,
    @Caller() { accountId, actorId }: MemberPrincipal,
    @RequestOrigin() by: Origin,
  ): Promise<ChosenTheme> {
    const command = { accountId, memberId: actorId!, theme, at: this.clock.now(), by };
    orRefuse('panel', await this.commands.execute(new ChooseMemberTheme(command)));
    return { theme };
  }
}
