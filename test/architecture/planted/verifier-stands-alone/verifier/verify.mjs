import { sha256 } from '../src/kernel/hashing.js';
import { readSync } from 'node:fs';

export const verify = () => [sha256(), readSync];
