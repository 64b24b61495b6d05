import type { Caller } from '../../contract/declarations/caller.ts'
import type { Json } from '../../sandbox/door.ts'

/** Work that goes on after a tool call was answered, as its caller sees it at this moment. */
export interface Handle {
  id: string
  status: 'working' | 'completed' | 'cancelled'
  /** What it waits for, or how far it is, for a person to read. */
  message: string
  createdAt: string
  changedAt: string
  /** Nothing is known of it any more after that; null where that depends on when it ends. */
  forgottenAt: string | null
  /** What the tool call comes to, once it is completed. */
  answer?: { body: { [key: string]: Json }; isError: boolean }
}

/** The handles that callers have, each its own. */
export interface Handles {
  /** Null where the caller has none of this id. */
  findHandle(caller: Caller, id: string): Promise<Handle | null>
  /** Takes the work back, as far as it has not ended. False where the caller has none of this id. */
  cancelHandle(caller: Caller, id: string): Promise<boolean>
}
