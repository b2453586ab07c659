import { Inject, type Provider, type Type } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { Issued } from '../../kernel/command.js';
import { AggregateStore, type Aggregate } from './aggregate-store.js';

type CommandClass<C> = new (...args: any[]) => C;
type Decided<C extends Issued> = Aggregate<any, C, any, any>;

/** For commands that only load, decide and append. @param given the aggregate, or the token that provides it */
export function deciderHandlers<C extends Issued>(
  given: Decided<C> | symbol,
  idOf: (command: C) => string,
  commands: readonly CommandClass<C>[],
): Provider[] {
  const aggregate = typeof given === 'symbol' ? given : Symbol(given.category);
  const handlers = commands.map((command) => handlerOf(aggregate, idOf, command));
  return typeof given === 'symbol' ? handlers : [{ provide: aggregate, useValue: given }, ...handlers];
}

function handlerOf<C extends Issued>(
  aggregate: symbol,
  idOf: (command: C) => string,
  command: CommandClass<C>,
): Provider {
  const handler = class {
    constructor(
      private readonly aggregate: Decided<C>,
      private readonly aggregates: AggregateStore,
    ) {}

    execute(issued: C) {
      return this.aggregates.execute(this.aggregate, idOf(issued), issued);
    }
  };
  Object.defineProperty(handler, 'name', { value: `${command.name}Handler` });
  Inject(aggregate)(handler, undefined, 0);
  Inject(AggregateStore)(handler, undefined, 1);
  CommandHandler(command)(handler as Type);
  return handler as Type;
}
