import type { Kysely } from 'kysely'
import type { Noun } from '../contract/noun.ts'
import type { Role } from '../contract/operation.ts'
import type { Tables } from './tables.ts'

/** Who asks: the user a token acts for, inside that token's account. */
export interface Caller {
  tokenId: string
  accountId: string
  userId: string
  role: Role
}

/** What a rule works with. Every query it makes carries `accountId`. */
export interface Context {
  readonly accountId: string
  readonly caller: Caller
  readonly db: Kysely<Tables>
  /** The moment of the request, as answers write it. */
  readonly now: string
  /** Where people and links reach this service, without a slash at the end. */
  readonly publicUrl: string
  /** Writes an event of this change into the same transaction; `before` makes it an update, silent when nothing differs. */
  emit(type: string, noun: Noun, row: { id: string }, options?: { before?: { id: string }; deleted?: boolean }): void
}
