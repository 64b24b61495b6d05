import { isUser } from '../../../contract/caller.ts'
import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Task } from './task.ts'

type Owner = Pick<Row<typeof Task>, 'owner_user' | 'owner_token'>

/** Whose rights the runs have of a prompt that the caller writes. */
export function ownerOf({ caller }: Context): Owner {
  if (!isUser(caller)) return { owner_user: '', owner_token: null }
  return { owner_user: caller.userId, owner_token: caller.kind === 'token' ? caller.tokenId : null }
}
