import type { Caller } from '../../contract/declarations/caller.ts'
import type { Json } from '../../sandbox/api.ts'

/** The state of a tool call that continues in the background. */
export interface Handle {
  id: string
  status: 'working' | 'completed' | 'cancelled'
  /** Text for people: the progress, or the reason for the wait. */
  message: string
  createdAt: string
  changedAt: string
  /** The time at which the handle is deleted; null if that time is unknown because the work has not ended. */
  forgottenAt: string | null
  answer?: { body: { [key: string]: Json }; isError: boolean }
}

/** Each caller can access only its own handles. */
export interface Handles {
  findHandle(caller: Caller, id: string): Promise<Handle | null>
  /** Cancels the work unless it has already ended. Returns false if the caller has no handle with this id. */
  cancelHandle(caller: Caller, id: string): Promise<boolean>
}
