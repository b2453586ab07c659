export class MissingHashesError extends Error {}
