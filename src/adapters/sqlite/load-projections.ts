import type { Projections } from './writer.js';

/** The projections a module exports as `projections` or by default, with its `upcasters` if it has any. */
export async function loadProjections(url: string): Promise<Projections> {
  const module = (await import(url)) as Partial<Projections> & { default?: Projections['projections'] };
  const projections = module.projections ?? module.default;
  if (!Array.isArray(projections)) throw new TypeError(`${url} exports no list of projections`);
  return { projections, upcasters: module.upcasters };
}
