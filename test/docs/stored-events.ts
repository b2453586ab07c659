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
  return eventTypes((checker, data) => dataFields(checker, data));
}

/** The stored events of which a field, at any depth, holds a sealed secret or the hash of a credential. */
export function sealedEvents(): readonly string[] {
  return [...eventTypes(holdsSecret)].filter(([, holds]) => holds).map(([name]) => name);
}

/** What `read` gives of the type of the data of each event. */
function eventTypes<T>(read: (checker: ts.TypeChecker, data: ts.Type) => T): Map<string, T> {
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
  const events = new Map<string, T>();
  for (const file of files) {
    for (const type of exportedTypes(program, checker, file)) {
      for (const member of type.isUnion() ? type.types : [type]) {
        const name = literalType(checker, member);
        if (name) events.set(name, read(checker, checker.getTypeOfSymbol(member.getProperty('data')!)));
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

function dataFields(checker: ts.TypeChecker, data: ts.Type): string[] {
  return data
    .getProperties()
    .map(({ name, flags }) => (flags & ts.SymbolFlags.Optional ? `${name}?` : name))
    .sort();
}

/** `hash` and `credentialHash` are of credentials, `contentHash` of a document, which is public. */
function holdsSecret(checker: ts.TypeChecker, type: ts.Type, above: readonly ts.Type[] = []): boolean {
  if (type.aliasSymbol?.name === 'SealedSecret' || type.symbol?.name === 'SealedSecret') return true;
  if (above.includes(type) || !(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.UnionOrIntersection)))
    return false;
  const within = [...above, type];
  const parts = type.isUnionOrIntersection()
    ? type.types
    : checker.getTypeArguments(type as ts.TypeReference);
  const inParts = () => parts.some((part) => holdsSecret(checker, part, within));
  const isList = checker.isArrayType(type) || checker.isTupleType(type);
  const inFields = () =>
    type.getProperties().some((field) => {
      if (/^(hash|secret|password|token)$|(?<!content)Hash$/.test(field.name)) return true;
      return holdsSecret(checker, checker.getTypeOfSymbol(field), within);
    });
  return type.isUnionOrIntersection() || isList ? inParts() : inFields();
}
