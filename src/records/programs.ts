import type { UserCaller } from '../contract/declarations/caller.ts'
import type { ProgramAnswer } from '../providers/runners/provider.ts'

interface ProgramOptions {
  /** Stores the program's changes as a plan instead of making them. */
  dryRun?: boolean
  decider?: { userId: string; note: string | null }
}

export interface BatchJob {
  accountId: string
  program: string
  jobId: string
}

export interface BatchDone {
  again: boolean
  afterMs: number
}

/** Runs the Ruby programs of agents, all with the same limits and transaction rules. Only servers can do this, not commands. */
export interface Programs {
  /** Runs a Ruby program that searches the catalogue of operations. */
  search(caller: UserCaller, code: string): Promise<ProgramAnswer>
  execute(caller: UserCaller, code: string, options?: ProgramOptions): Promise<ProgramAnswer>
  /** Runs the next batch of a background program and stores its progress. Rejects if `signal` aborts it. */
  continueBackground(job: BatchJob, signal: AbortSignal): Promise<BatchDone>
  /** Runs the program of a plan again, which replaces the plan with a new one. */
  planAgain(caller: UserCaller, planId: string): Promise<ProgramAnswer>
}
