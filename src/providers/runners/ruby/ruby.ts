import { cut } from '../../../contract/values/values.ts'
import { errorOf, type ProgramFailure, questionOf } from '../answers.ts'
import {
  type Assignment,
  NO_RIGHTS,
  type ProgramAnswer,
  type RunOutcome,
  type RunProgram,
  type TaskRunner,
} from '../provider.ts'

/** The first line of a prompt that is a program. */
const MARK = /^#[ \t]*ruby[ \t]*(?:\r?\n|$)/
/** Matches background programs. Their `run` has only the run's id, because they must not call the API before their block. */
const IN_BACKGROUND = /^[ \t]*#+[ \t]*background[ \t]*[:=][ \t]*(?:true|yes|on)\b/im
const NO_MODEL = { inputTokens: 0, outputTokens: 0 }
/** Errors of a plan that cannot be applied any more and is replaced by a new one. */
const PLAN_GONE = ['plan_unavailable', 'plan_outdated']
const MAX_SUMMARY = 20_000
const MAX_ERROR = 2_000
const MAX_REASON = 500

export function rubyRunner(runProgram: RunProgram): TaskRunner {
  return {
    lasts: 'shortly',
    needsModel: false,
    takes: (prompt) => MARK.test(prompt),
    run: (assignment, signal) => new RubyRun(runProgram, assignment, signal).run(),
  }
}

/** One run, which executes a second program if its plan can no longer be applied. */
class RubyRun {
  readonly #runProgram: RunProgram
  readonly #assignment: Assignment
  readonly #signal: AbortSignal
  readonly #inBackground: boolean
  readonly #startedAt = performance.now()
  #calls = 0

  constructor(runProgram: RunProgram, assignment: Assignment, signal: AbortSignal) {
    this.#runProgram = runProgram
    this.#assignment = assignment
    this.#signal = signal
    this.#inBackground = IN_BACKGROUND.test(assignment.prompt)
  }

  async run(): Promise<RunOutcome> {
    const { plan, supervised } = this.#assignment
    const unapproved = { ...this.#assignment, approvers: [] }
    if (plan === null) return this.#outcome(await this.#execute(unapproved, this.#program(), supervised))
    const answer = await this.#execute(this.#assignment, `# apply: ${plan}`, false)
    const error = errorOf(answer)
    if (!error || !PLAN_GONE.includes(error.type)) return this.#outcome(answer)
    const again = await this.#execute(unapproved, this.#program(), true)
    const reason = answer?.body.differences ? '' : `${cut(error.message, MAX_REASON)} `
    return this.#outcome(again, `The plan could no longer be applied, so a new one was made. ${reason}`)
  }

  /** Runs a program and counts the calls of its last attempt, except the one for `run`, which background programs do not make. */
  async #execute(assignment: Assignment, code: string, dryRun: boolean): Promise<ProgramAnswer | null> {
    const before = this.#calls - (this.#inBackground ? 0 : 1)
    const onCall = (_call: object, number: number) => {
      this.#calls = before + number
    }
    return this.#runProgram(assignment, code, { signal: this.#signal, dryRun, onCall })
  }

  /** Returns the program. Its first line is replaced by the definition of `run`, so that all other lines keep their numbers. */
  #program(): string {
    const { prompt, origin } = this.#assignment
    const program = prompt.replace(MARK, '')
    const run = this.#inBackground ? `{"id" => "${origin.run}"}` : `get("/task_runs/${origin.run}")`
    return `run = ${run}\n${program}`
  }

  #outcome(answer: ProgramAnswer | null, note = ''): RunOutcome {
    const durationMs = Math.round(performance.now() - this.#startedAt)
    const blank = {
      summary: null,
      error: null,
      question: null,
      plan: null,
      calls: this.#calls,
      durationMs,
      ...NO_MODEL,
    }
    if (answer === null) return { ...blank, status: 'failed', error: NO_RIGHTS }
    const printed = typeof answer.body.output === 'string' ? cut(answer.body.output, MAX_SUMMARY) : null
    const error = errorOf(answer)
    if (error) return { ...blank, status: 'failed', summary: printed, error: cut(inWords(error), MAX_ERROR) }
    const { plan } = answer.body
    if (typeof plan !== 'string')
      return { ...blank, status: 'completed', summary: printed ?? lastValue(answer.body.result) }
    return {
      ...blank,
      status: 'needs_input',
      summary: printed,
      plan,
      question: note + questionOf(plan, answer.body.changes),
    }
  }
}

/** Returns a string, or any other value as JSON, cut to the maximum length. */
function lastValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return cut(typeof value === 'string' ? value : JSON.stringify(value, null, 2), MAX_SUMMARY)
}

function inWords({ message, line, hint }: ProgramFailure): string {
  const place = line === null ? '' : ` (line ${line} of the prompt)`
  const sentence = `${message}${place}`
  if (hint === null) return sentence
  return `${sentence}${sentence.endsWith('.') ? '' : '.'} ${hint}`
}
