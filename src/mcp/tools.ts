import type { Caller } from '../contract/declarations/caller.ts'
import { currentTimestamp } from '../contract/values/values.ts'
import { capsInWords } from '../records/daily-caps.ts'
import { notRunAnswer, problemAnswer, searchAnswer, type ToolAnswer } from './answer.ts'
import { type CommandParts, Commands } from './commands.ts'
import type { ExecuteOptions, SearchOptions, ToolRunner } from './endpoint/server.ts'
import { Executions, proposes } from './executions.ts'
import { backgroundHandle, cancelBackgroundHandle } from './handles/background-handles.ts'
import type { Handle } from './handles/handle.ts'
import { cancelPlanHandle, type HandleParts, planHandle } from './handles/plan-handles.ts'
import { permissionError } from './program/run-error.ts'
import { type ProgramText, readProgram } from './program/text.ts'
import type { RunLog } from './run-log.ts'
import { searchRecord } from './run-record.ts'

export type ToolParts = CommandParts & HandleParts

/** The tools `code_search` and `code_execute`. A failure is returned as a response, never thrown. */
export class Tools implements ToolRunner {
  readonly #parts: ToolParts
  readonly #runs: RunLog
  readonly #executions: Executions
  readonly #commands: Commands

  constructor(parts: ToolParts, runs: RunLog) {
    this.#parts = parts
    this.#runs = runs
    this.#executions = new Executions(parts, runs)
    this.#commands = new Commands(parts, this.#executions)
  }

  /** Runs a Ruby program that searches the catalogue of operations. */
  async search(caller: Caller, code: unknown, options: SearchOptions = {}): Promise<ToolAnswer> {
    const program = readProgram(code)
    if ('message' in program) return problemAnswer(program)
    if ('planId' in program || 'verb' in program)
      return notRunAnswer(permissionError('code_search changes nothing; use code_execute.'))
    const startedAt = currentTimestamp()
    const { sandbox } = this.#parts
    const outcome = await sandbox.run({ kind: 'search', code: program.code, queueKey: caller.accountId, ...options })
    this.#runs.record(searchRecord(caller, program, outcome, startedAt))
    return this.#withCaps(caller, searchAnswer(outcome))
  }

  /** Runs a Ruby program with access to the API, or handles a command such as `# apply: plan_…`. */
  async execute(caller: Caller, code: unknown, options: ExecuteOptions = {}): Promise<ToolAnswer> {
    const program = readProgram(code)
    if ('message' in program) return problemAnswer(program)
    if ('planId' in program || 'verb' in program) {
      const looks = 'verb' in program && program.verb === 'status'
      // A client that may only do dry runs may not apply plans.
      if (options.dryRun === true && !looks) return notRunAnswer(permissionError(ONLY_PLANS))
      return this.#commands.answer(caller, program, options)
    }
    const dryRun = program.dryRun || options.dryRun === true
    const rightfulProgram = asPlanIfProposeOnly({ ...program, dryRun }, caller)
    // A client that requested a dry run gets the result at once and does not wait for a person's decision.
    const awaited = options.waits === true && rightfulProgram.dryRun && !dryRun
    const answer = await this.#executions.once({ caller, program: rightfulProgram, options, awaited })
    return this.#withCaps(caller, answer)
  }

  /** Adds to the response how much of its daily caps a token has used. */
  async #withCaps(caller: Caller, answer: ToolAnswer): Promise<ToolAnswer> {
    if (!caller.capped) return answer
    const { accountId } = caller
    const context = { db: this.#parts.database.read, accountId, caller, realNow: currentTimestamp() }
    const today = await capsInWords(context)
    return { ...answer, body: { ...answer.body, today } }
  }

  /** Runs the program of a plan again as a dry run. */
  planAgain(caller: Caller, planId: string): Promise<ToolAnswer> {
    return this.#commands.planAgain(caller, planId)
  }

  findHandle(caller: Caller, id: string): Promise<Handle | null> {
    return isBackground(id) ? backgroundHandle(this.#parts, caller, id) : planHandle(this.#parts, caller, id)
  }

  cancelHandle(caller: Caller, id: string): Promise<boolean> {
    if (isBackground(id)) return cancelBackgroundHandle(this.#parts, caller, { id })
    return cancelPlanHandle(this.#parts, caller, id)
  }
}

const ONLY_PLANS =
  'Programs only plan here: a person applies or withdraws plans, and stops or resumes background programs.'

function isBackground(id: string): boolean {
  return id.startsWith('bg_')
}

/** Turns the program of a propose-only token into a dry run. The writes of a program that is not atomic are refused instead. */
function asPlanIfProposeOnly(program: ProgramText, caller: Caller): ProgramText {
  return proposes(caller) && program.atomic ? { ...program, dryRun: true } : program
}
