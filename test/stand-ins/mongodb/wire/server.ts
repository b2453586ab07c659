import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Document } from '../bson/compose.js';
import type { Call, Surroundings as Dependencies } from '../commands/call.js';
import { COMMANDS } from '../commands/commands.js';
import { Cursors } from '../commands/cursors.js';
import { Sessions } from '../commands/sessions.js';
import { ChangeStreams } from '../commands/watching.js';
import { Faults, isWrite } from '../faults.js';
import { ServerError } from '../server-error.js';
import { Databases } from '../storage/databases.js';
import { Framing } from './framing.js';
import { readCommand, writeReply, type Command } from './messages.js';

export interface Drop {
  readonly refuseMs: number;
  readonly how: 'end' | 'reset';
}

/** Commands on sockets: one after another on each connection, as drivers send them. */
export class WireServer {
  readonly faults = new Faults();
  readonly databases = new Databases();
  readonly counted = new Map<string, number>();
  /** By name, collection and, of writes, the write concern: `find jobs`, `update jobs majority`. */
  readonly countedCalls = new Map<string, number>();
  /** Connections ever taken. */
  accepted = 0;
  private readonly sockets = new Set<Socket>();
  private readonly dependencies: Dependencies;
  private readonly server: Server;
  private refusesUntil = 0;

  constructor() {
    this.server = createServer({ noDelay: true }, (socket) => this.take(socket));
    this.dependencies = {
      ...{ databases: this.databases, faults: this.faults },
      ...{ cursors: new Cursors(), streams: new ChangeStreams(), sessions: new Sessions() },
      ...{ port: () => (this.server.address() as AddressInfo).port, connections: () => this.sockets.size },
    };
  }

  async listen(port = 0): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    return this.dependencies.port();
  }

  close(): void {
    this.server.close();
    this.drop({ refuseMs: 0, how: 'end' });
  }

  get openConnections(): number {
    return this.sockets.size;
  }

  get openCursors(): number {
    return this.dependencies.cursors.open + this.dependencies.streams.open;
  }

  /** All connections end at once (FIN, as when a process ends, or RST); new ones as soon as they are made, for so long. */
  drop({ refuseMs, how }: Drop): void {
    this.refusesUntil = Date.now() + refuseMs;
    for (const socket of this.sockets)
      if (how === 'end') socket.destroy();
      else socket.resetAndDestroy();
  }

  /** As after a restart of mongod: data stay; connections and cursors are gone. */
  restart(downMs: number): void {
    this.drop({ refuseMs: downMs, how: 'end' });
    this.dependencies.cursors.clear();
    this.dependencies.streams.clear();
  }

  private take(socket: Socket): void {
    if (Date.now() < this.refusesUntil) return void socket.destroy();
    this.accepted++;
    this.sockets.add(socket);
    const framing = new Framing();
    let last = Promise.resolve();
    socket.on('data', (chunk) => {
      for (const message of framing.push(chunk))
        last = last.then(() => this.answer(socket, message)).catch(() => void socket.destroy());
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
  }

  private async answer(socket: Socket, message: Buffer): Promise<void> {
    const command = readCommand(message);
    countIn(this.counted, command.name);
    countIn(this.countedCalls, nameOf(command));
    await this.faults.whileHanging(command);
    if (this.faults.losesRequest(command)) return void socket.destroy();
    if (this.faults.stops(command, false)) return;
    const reply = await this.carryOut(command);
    if (this.faults.stops(command, true)) return;
    if (this.faults.losesReply(command)) return void socket.destroy();
    if (this.faults.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, this.faults.slowMs));
    if (!command.unacknowledged && !socket.destroyed) socket.write(writeReply(command, reply));
  }

  private async carryOut(command: Command): Promise<Document> {
    try {
      const handler = COMMANDS.get(command.name);
      if (!handler) throw new ServerError('CommandNotFound', `no such command: '${command.name}'`);
      this.faults.before(command);
      const { sessions } = this.dependencies;
      const call: Call = { ...this.dependencies, command };
      return await (isWrite(command)
        ? sessions.once(command, () => handler(call) as Document)
        : handler(call));
    } catch (error) {
      if (error instanceof ServerError) return error.reply();
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return new ServerError('UnknownError', reason).reply();
    }
  }
}

function countIn(counted: Map<string, number>, key: string): void {
  counted.set(key, (counted.get(key) ?? 0) + 1);
}

function nameOf({ name, args }: Command): string {
  const collection = typeof args[name] === 'string' ? args[name] : undefined;
  const { w } = (args['writeConcern'] ?? {}) as Document;
  return [name, collection, w].filter((part) => part !== undefined).join(' ');
}
