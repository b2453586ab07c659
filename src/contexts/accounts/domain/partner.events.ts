export interface PartnerCreated {
  readonly type: 'PartnerCreated';
  readonly data: { readonly partnerId: string; readonly name: string; readonly slug: string };
}

export type PartnerEvent = PartnerCreated;
