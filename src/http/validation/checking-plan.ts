import type { Type } from '@nestjs/common';
import { getMetadataStorage, validateSync } from 'class-validator';

type Declared = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Check = (object: Readonly<Record<string, unknown>>, value: unknown) => unknown;

/** True if `validateSync` finds nothing in an instance of the class. */
type CheckingPlan = (instance: Readonly<Record<string, unknown>>) => boolean;

/** A class without fields has no rules; class-validator would refuse it. */
export const CHECKED = { stopAtFirstError: true, forbidUnknownValues: false };

const plans = new WeakMap<Type, CheckingPlan>();

/** Whether an instance keeps all rules of its class; `validateSync` names the broken ones. */
export function keepsItsRules(instance: object): boolean {
  const of = instance.constructor as Type;
  let plan = plans.get(of);
  if (!plan) plans.set(of, (plan = checkingPlan(of) ?? library));
  return plan(instance as Readonly<Record<string, unknown>>);
}

const library: CheckingPlan = (instance) => validateSync(instance, CHECKED).length === 0;

/**
 * The rules that class-validator's decorators declare for a class, looked up once; undefined if one of them
 * needs what a plan cannot do, such as `each` or a promise.
 */
export function checkingPlan(of: Type): CheckingPlan | undefined {
  const storage = getMetadataStorage();
  const rules = storage.getTargetValidationMetadatas(of, '', false, false);
  const checks: CheckingPlan[] = [];
  for (const [field, declared] of Object.entries(storage.groupByPropertyName(rules))) {
    const check = fieldCheck(of, field, declared);
    if (!check) return undefined;
    checks.push(check);
  }
  return (instance) => {
    for (const check of checks) if (!check(instance)) return false;
    return true;
  };
}

function fieldCheck(of: Type, field: string, declared: readonly Declared[]): CheckingPlan | undefined {
  const conditions: Check[] = [];
  const checks: Check[] = [];
  let isNested = false;
  for (const rule of declared) {
    if (rule.each || rule.validateIf) return undefined;
    if (rule.type === 'conditionalValidation') conditions.push(rule.constraints[0] as Check);
    else if (rule.type === 'nestedValidation') isNested = true;
    else if (rule.type !== 'customValidation' || !addValidators(of, rule, checks)) return undefined;
  }
  return (object) => {
    const value = object[field];
    for (const applies of conditions) if (!applies(object, value)) return true;
    for (const accepts of checks) if (!accepts(object, value)) return false;
    return !isNested || value === undefined || areKept(value);
  };
}

/** Returns false if one of the validators answers later. */
function addValidators(of: Type, rule: Declared, checks: Check[]): boolean {
  const { constraintCls, constraints, propertyName: property } = rule;
  const found = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  for (const { instance } of found) {
    checks.push((object, value) =>
      instance.validate(value, { targetName: of.name, property, object, value, constraints }),
    );
  }
  return found.every(({ async }) => !async);
}

/** The rules of a nested object, or of each object of a list. */
const areKept = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(areKept) : value instanceof Object && keepsItsRules(value);
