import type { Collection } from 'mongodb';
import type { Milliseconds } from '../../kernel/time.js';
import { insisting } from './mongo-errors.js';

/** Something that one holder has at a time, by the clock of the server. */
export interface Claim {
  readonly _id: string;
  readonly holder: string;
  readonly until: Date;
  readonly epoch: number;
}

/** Free, run out, or already the holder's. */
const isOurs = (holder: string) => ({
  $or: [
    { $eq: [{ $ifNull: ['$holder', { $literal: holder }] }, { $literal: holder }] },
    { $lte: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] },
  ],
});

/** Epochs begin with the seconds of the clock: they go on growing when what counted them was lost. */
const NEXT_EPOCH = {
  $add: [{ $ifNull: ['$epoch', { $floor: { $divide: [{ $toLong: '$$NOW' }, 1_000] } }] }, 1],
};

/** The claim as it is afterwards, whoever has it now. */
export async function claim(
  claims: Collection<Claim>,
  _id: string,
  holder: string,
  forMs: Milliseconds,
): Promise<Claim> {
  const ours = isOurs(holder);
  const change = [
    {
      $set: {
        holder: { $cond: [ours, { $literal: holder }, '$holder'] },
        until: { $cond: [ours, { $add: ['$$NOW', forMs] }, '$until'] },
        epoch: {
          $cond: [
            { $eq: ['$holder', { $literal: holder }] },
            '$epoch',
            { $cond: [ours, NEXT_EPOCH, '$epoch'] },
          ],
        },
      },
    },
  ];
  const take = () => claims.findOneAndUpdate({ _id }, change, { upsert: true, returnDocument: 'after' });
  return (await insisting(take))!;
}

/** It is free for the next at once; epochs go on from here. */
export async function giveUp(
  claims: Collection<Claim>,
  { _id, holder, epoch }: Omit<Claim, 'until'>,
): Promise<void> {
  await claims.updateOne({ _id, holder, epoch }, { $set: { until: new Date(0), holder: '' } });
}
