import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import ts from 'typescript';

const contexts = fileURLToPath(new URL('../../src/contexts', import.meta.url));
const evidence = fileURLToPath(new URL('../../src/evidence/evidence.events.ts', import.meta.url));

/**
 * Every stored event with the fields of its data (`name?` if optional), read from the types of the domains: every
 * exported type with a literal `type` and `data` is an event.
 */
export function storedEvents(): Map<string, readonly string[]> {
  const files = readdirSync(contexts, { recursive: true })
    .map(String)
    .filter((file) => /^[^/]+\/domain\/[^/]+(?<!\.spec)\.ts$/.test(file))
    .map((file) => path.join(contexts, file))
    .concat(evidence);
  const program = ts.createProgram(files, {
    strict: true,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    types: [],
  });
  const checker = program.getTypeChecker();
  const events = new Map<string, readonly string[]>();
  for (const file of files) {
    for (const type of exportedTypes(program, checker, file)) {
      for (const member of type.isUnion() ? type.types : [type]) {
        const name = literalType(checker, member);
        if (name) events.set(name, dataFields(checker, member));
      }
    }
  }
  return events;
}

function exportedTypes(program: ts.Program, checker: ts.TypeChecker, file: string): ts.Type[] {
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  if (!symbol) return [];
  const declared = ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface;
  return checker
    .getExportsOfModule(symbol)
    .filter(({ flags }) => flags & declared)
    .map((it) => checker.getDeclaredTypeOfSymbol(it));
}

/** Returns `JobQueued` for `{ type: 'JobQueued', data: … }`. */
function literalType(checker: ts.TypeChecker, member: ts.Type): string | undefined {
  const names = member.getProperties().map(({ name }) => name);
  const type = member.getProperty('type');
  if (!type || names.length !== 2 || !names.includes('data')) return undefined;
  const literal = checker.getTypeOfSymbol(type);
  return literal.isStringLiteral() ? literal.value : undefined;
}

function dataFields(checker: ts.TypeChecker, member: ts.Type): string[] {
  const data = member.getProperty('data');
  if (!data) return [];
  return checker
    .getTypeOfSymbol(data)
    .getProperties()
    .map(({ name, flags }) => (flags & ts.SymbolFlags.Optional ? `${name}?` : name))
    .sort();
}
