import { agent } from './agent.mjs';
import { contexts } from './contexts.mjs';
import { edges } from './edges.mjs';
import { embedded } from './embedded.mjs';
import { engine } from './engine.mjs';
import { handling } from './handling.mjs';
import { jobs } from './jobs.mjs';
import { servers } from './servers.mjs';

export const mutants = [jobs, handling, contexts, engine, embedded, servers, edges, agent].flat();
