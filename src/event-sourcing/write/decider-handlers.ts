import { Inject, type Provider, type Type } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { Issued } from '../../kernel/command.js';
import type { Rejection } from '../../kernel/decider.js';
import type { DomainEvent } from '../../kernel/recorded-event.js';
import { AggregateStore, type Aggregate } from './aggregate-store.js';

type CommandClass<C> = new (...args: any[]) => C;

/** For commands that only load, decide and append. @param token provides the aggregate */
export function deciderHandlers<C extends Issued>(
  token: symbol,
  idOf: (command: C) => string,
  commands: readonly CommandClass<C>[],
): Provider[] {
  return commands.map((command) => {
    const handler = class {
      constructor(
        private readonly aggregate: Aggregate<unknown, C, DomainEvent, Rejection>,
        private readonly aggregates: AggregateStore,
      ) {}

      execute(issued: C) {
        return this.aggregates.execute(this.aggregate, idOf(issued), issued);
      }
    };
    Object.defineProperty(handler, 'name', { value: `${command.name}Handler` });
    Inject(token)(handler, undefined, 0);
    Inject(AggregateStore)(handler, undefined, 1);
    CommandHandler(command)(handler as Type);
    return handler as Type;
  });
}
