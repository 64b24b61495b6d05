import type { UserCaller } from '../contract/declarations/caller.ts'
import type { ProgramAnswer } from '../outside/runners/provider.ts'

export interface ProgramOptions {
  /** Only plans. */
  dryRun?: boolean
  /** The person who applies a plan, and what this person writes about it. */
  decider?: { userId: string; note: string | null }
}

/** The job that does the next batch of a background program. */
export interface BatchJob {
  accountId: string
  program: string
  jobId: string
}

/** Whether another batch is to follow, and after how long. */
export interface BatchDone {
  again: boolean
  afterMs: number
}

/** Runs programs, under the limits and the transaction that every program has. Only a server does. */
export interface Programs {
  /** Over the catalogue of operations. */
  search(caller: UserCaller, code: string): Promise<ProgramAnswer>
  /** Against the live API. */
  execute(caller: UserCaller, code: string, options?: ProgramOptions): Promise<ProgramAnswer>
  /** Does the next batch of a background program, and notes where it is. Rejects when it was aborted. */
  continueBackground(job: BatchJob, signal: AbortSignal): Promise<BatchDone>
  /** Plans the program of a plan anew; the new plan takes its place. */
  planAgain(caller: UserCaller, planId: string): Promise<ProgramAnswer>
}
