import type { Caller } from '../../contract/declarations/caller.ts'
import type { Json } from '../../sandbox/api.ts'

/** Work that continues after a tool call was answered, in its current state. */
export interface Handle {
  id: string
  status: 'working' | 'completed' | 'cancelled'
  /** The reason for waiting, or the progress, as text for people. */
  message: string
  createdAt: string
  changedAt: string
  /** The time at which it is deleted; null if that depends on when it ends. */
  forgottenAt: string | null
  /** The response to the tool call, once it is completed. */
  answer?: { body: { [key: string]: Json }; isError: boolean }
}

/** Each caller sees only its own handles. */
export interface Handles {
  /** Returns null if the caller has no handle with this id. */
  findHandle(caller: Caller, id: string): Promise<Handle | null>
  /** Cancels the work unless it has ended. Returns false if the caller has no handle with this id. */
  cancelHandle(caller: Caller, id: string): Promise<boolean>
}
