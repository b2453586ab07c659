import { Command } from '@nestjs/cqrs';
export class Cancel extends Command<boolean> {}
