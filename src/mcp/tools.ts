import type { Caller } from '../contract/caller.ts'
import type { Outcome } from '../sandbox/door.ts'
import { executeAnswer, problemAnswer, searchAnswer, type ToolAnswer } from './answer.ts'
import type { ExecuteOptions, SearchOptions, ToolRunner } from './endpoint/server.ts'
import { type Run, type RunParts, runProgram } from './program/run.ts'
import { type ProgramText, readProgram } from './program/text.ts'
import { type ProgramRun, type RunLog, whose } from './run-log.ts'

/** `code_search` and `code_execute`. Every failure is an answer. */
export class Tools implements ToolRunner {
  readonly #parts: RunParts
  readonly #runs: RunLog

  constructor(parts: RunParts, runs: RunLog) {
    this.#parts = parts
    this.#runs = runs
  }

  /** Runs a program over the catalogue. */
  async search(caller: Caller, code: unknown, options: SearchOptions = {}): Promise<ToolAnswer> {
    const program = readProgram(code)
    if (!('code' in program)) return problemAnswer(program)
    const startedAt = new Date().toISOString()
    const { sandbox } = this.#parts
    const outcome = await sandbox.run({
      kind: 'search',
      code: program.code,
      queueKey: caller.accountId,
      ...options,
    })
    this.#runs.record({ ...whose(caller), ...searched(program, outcome), startedAt })
    return searchAnswer(outcome)
  }

  /** Runs a program against the live API. */
  async execute(caller: Caller, code: unknown, options: ExecuteOptions = {}): Promise<ToolAnswer> {
    const program = readProgram(code)
    if (!('code' in program)) return problemAnswer(program)
    const startedAt = new Date().toISOString()
    const run = await runProgram(this.#parts, { caller, program, ...options })
    this.#runs.record({ ...whose(caller), ...executed(program, run), startedAt })
    return executeAnswer(run, program)
  }
}

type WhatRan = Omit<ProgramRun, 'accountId' | 'userId' | 'callerId' | 'startedAt'>

function searched({ code }: ProgramText, outcome: Outcome): WhatRan {
  return {
    kind: 'search',
    code,
    calls: [],
    callCount: 0,
    outcome: outcome.ok ? 'succeeded' : outcome.error.type,
    errorMessage: outcome.ok ? null : outcome.error.message,
    committed: 'none',
    dryRun: false,
    runs: 1,
    durationMs: Math.round(outcome.durationMs),
  }
}

function executed({ code, dryRun }: ProgramText, { calls, error, committed, runs, outcome }: Run): WhatRan {
  return {
    kind: 'execute',
    code,
    calls: calls.journal.calls,
    callCount: calls.journal.count,
    outcome: error?.type ?? 'succeeded',
    errorMessage: error?.message ?? null,
    committed,
    dryRun,
    runs,
    durationMs: Math.round(outcome.durationMs),
  }
}
