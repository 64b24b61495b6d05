import type { Caller } from '../../contract/declarations/caller.ts'
import type { Json } from '../../sandbox/api.ts'

/** The current state of a tool call that continues in the background. */
export interface Handle {
  id: string
  status: 'working' | 'completed' | 'cancelled'
  /** The reason for the wait, or the progress, as text for people. */
  message: string
  createdAt: string
  changedAt: string
  /** The time at which the handle is deleted; null if the work has not ended and that time is unknown. */
  forgottenAt: string | null
  /** The final response to the tool call, once it is completed. */
  answer?: { body: { [key: string]: Json }; isError: boolean }
}

/** Finds and cancels handles. Each caller has access only to its own. */
export interface Handles {
  /** Returns a handle by its id, or null if the caller has no such handle. */
  findHandle(caller: Caller, id: string): Promise<Handle | null>
  /** Cancels the work unless it has already ended. Returns false if the caller has no handle with this id. */
  cancelHandle(caller: Caller, id: string): Promise<boolean>
}
