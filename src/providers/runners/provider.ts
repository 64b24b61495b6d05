import type { Actor, RunOrigin } from '../../contract/declarations/caller.ts'
import type { Json } from '../../contract/values/json.ts'
import type { Models } from '../models/provider.ts'

/** The error of a run if an actor who limits its rights no longer has access. */
export const NO_RIGHTS =
  'Someone who wrote the prompt, or changed when and how it runs, has lost access: an API token was deleted, or its user has left the account. Set the prompt again (PATCH /tasks/{id}) to run it with your own rights.'

/** The actor with whose rights a run works: the author of its prompt. `limits` are further actors whose rights restrict the run. */
interface RunOwner extends Actor {
  accountId: string
  limits: Actor[]
}

export interface Assignment {
  prompt: string
  owner: RunOwner
  origin: RunOrigin
  /** The job that claimed the run. */
  jobId: string
  /** Whether the run may only make a plan, which a person has to approve. */
  supervised: boolean
  /** The approved plan; null at the start of the run. */
  plan: string | null
  approvers: Actor[]
  /** The event that started the run; null if there was none. */
  event: object | null
  /** Whether strangers wrote parts of the event, so that a person has to approve the changes before they take effect. */
  distrusted: boolean
  modelId: string | null
  /** The model for prompts in plain words, with its maximum number of tokens; null if no model may be used. */
  model: { models: Models; tokens: number } | null
  /** The question that the run asked earlier, with a person's answer. */
  answered: { question: string; answer: string } | null
}

export interface RunOutcome {
  status: 'completed' | 'failed' | 'needs_input'
  summary: string | null
  /** The reason of the failure in a sentence or two, or null. */
  error: string | null
  /** The question for a person, and the plan that the question is about. */
  question: string | null
  plan: string | null
  calls: number
  durationMs: number
  /** The number of tokens that a model read and wrote. */
  inputTokens: number
  outputTokens: number
}

/** The result of a Ruby program, as the two tools return it. */
export interface ProgramAnswer {
  body: { [key: string]: Json }
  isError: boolean
}

interface ProgramOptions {
  signal: AbortSignal
  dryRun: boolean
  /** Called for each call of the Ruby program; `number` counts the calls of one attempt from 1. */
  onCall(call: object, number: number): void
}

/**
 * Runs a Ruby program like `code_execute`, with the rights of the run's owner, restricted by those of all actors who limit it.
 * Rolls back if the run was canceled meanwhile. Returns null if one of these actors no longer has access.
 */
export type RunProgram = (
  assignment: Pick<Assignment, 'owner' | 'origin' | 'jobId' | 'approvers'>,
  code: string,
  options: ProgramOptions,
) => Promise<ProgramAnswer | null>

/** Searches the catalogue like `code_search`, with the rights of the run's owner. Returns null if a limiting actor has lost access. */
export type SearchCatalogue = (
  assignment: Pick<Assignment, 'owner' | 'origin' | 'approvers'>,
  code: string,
  options: { signal: AbortSignal },
) => Promise<ProgramAnswer | null>

/** The names and descriptions of the tools for agents. */
export interface AgentTools {
  instructions: string
  search: { name: string; description: string }
  execute: { name: string; description: string }
}

/** Carries out runs with one kind of prompt. */
export interface TaskRunner {
  /** The usual duration of a run: `shortly` means seconds; `long` means minutes, with a model that costs tokens. */
  readonly lasts: 'shortly' | 'long'
  takes(prompt: string): boolean
  /** Whether the runner needs a model of the account. */
  readonly needsModel: boolean
  /** Carries out a run; a failed run does not reject. An abort ends the run and rolls back uncommitted work. */
  run(assignment: Assignment, signal: AbortSignal): Promise<RunOutcome>
}

/** The service's runners. Runs that none of them accepts wait for an outside agent. */
export interface TaskRunners {
  find(prompt: string, has: { model: boolean }): TaskRunner | undefined
}
