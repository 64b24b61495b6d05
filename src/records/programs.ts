import type { UserCaller } from '../contract/declarations/caller.ts'
import type { ProgramAnswer } from '../providers/runners/provider.ts'

interface ProgramOptions {
  /** Makes a plan of the changes instead of keeping them. */
  dryRun?: boolean
  /** The person who applies a plan, and this person's note about it. */
  decider?: { userId: string; note: string | null }
}

/** The job that runs the next batch of a background program. */
export interface BatchJob {
  accountId: string
  program: string
  jobId: string
}

/** Whether another batch follows, and after which delay. */
export interface BatchDone {
  again: boolean
  afterMs: number
}

/** Runs programs with the limits and the transaction that all programs have. Only a server runs them. */
export interface Programs {
  /** Runs a program over the catalogue of operations. */
  search(caller: UserCaller, code: string): Promise<ProgramAnswer>
  /** Runs a program against the live API. */
  execute(caller: UserCaller, code: string, options?: ProgramOptions): Promise<ProgramAnswer>
  /** Runs the next batch of a background program and stores its progress. Rejects if it was aborted. */
  continueBackground(job: BatchJob, signal: AbortSignal): Promise<BatchDone>
  /** Runs the program of a plan again to make a new plan, which replaces the old one. */
  planAgain(caller: UserCaller, planId: string): Promise<ProgramAnswer>
}
