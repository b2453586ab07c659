import type { Position } from '../../kernel/recorded-event.js';
import { CheckpointStore } from '../../ports/checkpoint-store.port.js';

export class MemoryCheckpointStore extends CheckpointStore {
  private readonly positions = new Map<string, Position>();

  async get(name: string): Promise<Position | undefined> {
    return this.positions.get(name);
  }

  async put(name: string, position: Position): Promise<void> {
    if ((this.positions.get(name) ?? '') < position) this.positions.set(name, position);
  }
}
