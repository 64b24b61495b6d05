import { ApiError, invalid } from '../contract/declarations/errors.ts'
import { bytesInWords } from '../format/sizes.ts'
import type { Bringer, Storage } from '../quota/room.ts'

const AGAIN_SECONDS = '300'

/** Throws a 422 for the field `base` if the account's storage is full. */
export async function requireRoom(storage: Storage, accountId: string): Promise<void> {
  if (!(await storage.hasRoom(accountId, 'account'))) throw invalid({ base: [fullSentence(storage, 'account')] })
}

/** Like `requireRoom`, but for input from strangers: throws a 503 that reveals nothing about the account and asks them to try again. */
export async function requireRoomForOutsiders(
  storage: Storage,
  accountId: string,
  bringer: Exclude<Bringer, 'account'>,
): Promise<void> {
  if (await storage.hasRoom(accountId, bringer)) return
  const headers = { 'Retry-After': AGAIN_SECONDS }
  const message = 'Nothing more can be accepted here at the moment. Please try again later.'
  throw new ApiError('storage_full', message, { headers })
}

export function fullSentence({ limitBytes, outsiderBytes }: Storage, bringer: Bringer): string {
  const outside =
    bringer === 'outsider' ? `, and input from outside is refused above ${bytesInWords(outsiderBytes)}` : ''
  return `The account’s records are limited to ${bytesInWords(limitBytes)}${outside}. Delete what you no longer need: Settings, Storage shows what uses the space.`
}
