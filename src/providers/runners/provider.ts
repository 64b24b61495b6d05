import type { Actor, RunOrigin } from '../../contract/declarations/caller.ts'
import type { Json } from '../../contract/values/json.ts'
import type { Models } from '../models/provider.ts'

/** The error of a run when an actor who limits its rights has lost access. */
export const NO_RIGHTS =
  'Someone who wrote the prompt, or changed when and how it runs, has lost access: an API token was deleted, or its user has left the account. Set the prompt again (PATCH /tasks/{id}) to run it with your own rights.'

/** A run has the rights of its prompt's author, restricted by the rights of the actors in `limits`. */
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
  /** Whether the run may only make a plan for a person to approve. */
  supervised: boolean
  /** The approved plan; null at the start of the run. */
  plan: string | null
  approvers: Actor[]
  event: object | null
  /** Whether strangers wrote parts of the event, so that a person has to approve the changes. */
  distrusted: boolean
  modelId: string | null
  /** The model for prompts in plain words, with the maximum number of tokens; null if no model may be used. */
  model: { models: Models; tokens: number } | null
  answered: { question: string; answer: string } | null
}

export interface RunOutcome {
  status: 'completed' | 'failed' | 'needs_input'
  summary: string | null
  error: string | null
  /** The question for a person; `plan` is the plan that it asks about, if any. */
  question: string | null
  plan: string | null
  calls: number
  durationMs: number
  inputTokens: number
  outputTokens: number
}

/** The response of `code_execute` or `code_search`. */
export interface ProgramAnswer {
  body: { [key: string]: Json }
  isError: boolean
}

interface ProgramOptions {
  signal: AbortSignal
  dryRun: boolean
  /** Called for each call of the Ruby program to the API; `number` counts from 1 in each attempt. */
  onCall(call: object, number: number): void
}

/**
 * Works like `code_execute`, with the rights of the owner and limiting actors; null if one lost access. Rolls back if the run was
 * canceled.
 */
export type RunProgram = (
  assignment: Pick<Assignment, 'owner' | 'origin' | 'jobId' | 'approvers'>,
  code: string,
  options: ProgramOptions,
) => Promise<ProgramAnswer | null>

/** Works like `code_search`, with the rights of the run's owner. Returns null if a limiting actor has lost access. */
export type SearchCatalogue = (
  assignment: Pick<Assignment, 'owner' | 'origin' | 'approvers'>,
  code: string,
  options: { signal: AbortSignal },
) => Promise<ProgramAnswer | null>

export interface AgentTools {
  instructions: string
  search: { name: string; description: string }
  execute: { name: string; description: string }
}

export interface RunnerParts {
  runProgram: RunProgram
  searchCatalogue: SearchCatalogue
  agentTools: AgentTools
}

export interface TaskRunner {
  /** The usual duration of a run: seconds (`shortly`), or minutes with a model that costs tokens (`long`). */
  readonly lasts: 'shortly' | 'long'
  takes(prompt: string): boolean
  readonly needsModel: boolean
  /** A failed run does not reject. An abort ends the run and rolls back uncommitted work. */
  run(assignment: Assignment, signal: AbortSignal): Promise<RunOutcome>
}

/** Runs that no runner accepts wait for an external agent. */
export interface TaskRunners {
  find(prompt: string, has: { model: boolean }): TaskRunner | undefined
}
