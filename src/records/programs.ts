import type { UserCaller } from '../contract/declarations/caller.ts'
import type { ProgramAnswer } from '../outside/runners/provider.ts'

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
  /** Plans the program of a plan anew; the new plan takes its place. */
  planAgain(caller: UserCaller, planId: string): Promise<ProgramAnswer>
}
