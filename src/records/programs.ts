import type { UserCaller } from '../contract/declarations/caller.ts'
import type { Json } from '../contract/values/json.ts'

/** What a run of a program answers, as the two tools do. */
export interface ProgramAnswer {
  body: { [key: string]: Json }
  isError: boolean
}

export interface ProgramOptions {
  /** Only plans. */
  dryRun?: boolean
  /** The person who applies a plan, and what this person writes about it. */
  decider?: { userId: string; note: string | null }
}

/** Runs programs, under the limits and the transaction that every program has. Only a server does. */
export interface Programs {
  /** Over the catalogue of operations. */
  search(caller: UserCaller, code: string): Promise<ProgramAnswer>
  /** Against the live API. */
  execute(caller: UserCaller, code: string, options?: ProgramOptions): Promise<ProgramAnswer>
}
