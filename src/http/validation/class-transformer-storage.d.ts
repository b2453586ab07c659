/** Where class-transformer keeps the metadata of its decorators; the package declares its types in another folder. */
declare module 'class-transformer/cjs/storage.js' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage.js';
}
