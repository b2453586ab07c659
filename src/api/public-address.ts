/** Provider token of the address of the service as others see it. */
export const PUBLIC_ADDRESS = Symbol('public address');

export interface PublicAddress {
  /** PUBLIC_URL; undefined if it is not set. */
  readonly publicUrl: string | undefined;
}
