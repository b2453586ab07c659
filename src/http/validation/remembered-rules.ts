import { getMetadataStorage } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Rules = ReturnType<Storage['getTargetValidationMetadatas']>;

/**
 * For every object that it checks, class-validator searches the rules of all classes for those of the object's class
 * and its parents. They never change once the classes are loaded, so this looks them up once per class. It replaces a
 * method of the storage, because class-validator has no option for it; all checks use the same options.
 */
export function rememberRules(
  storage: Pick<Storage, 'getTargetValidationMetadatas'> = getMetadataStorage(),
): void {
  const search = storage.getTargetValidationMetadatas.bind(storage);
  const known = new WeakMap<object, Rules>();
  storage.getTargetValidationMetadatas = (type, ...options) => {
    let rules = known.get(type);
    if (!rules) known.set(type, (rules = search(type, ...options)));
    return rules;
  };
}
