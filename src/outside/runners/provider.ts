import type { Actor, RunOrigin } from '../../contract/declarations/caller.ts'
import type { Json } from '../../contract/values/json.ts'
import type { Models } from '../models/provider.ts'

/** Why a run fails for whose programs nobody answers any more. */
export const NO_RIGHTS =
  'Someone who wrote the prompt, or changed when and how it runs, has lost access: an API token was deleted, or its user has left the account. Set the prompt again (PATCH /tasks/{id}) to run it with your own rights.'

/** Whose rights a run has: whoever wrote the prompt. */
export interface RunOwner extends Actor {
  accountId: string
  limits: Actor[]
}

export interface Assignment {
  prompt: string
  owner: RunOwner
  origin: RunOrigin
  /** The job of this service that has claimed the run. */
  jobId: string
  /** The run may only plan, for somebody to approve. */
  supervised: boolean
  /** The plan that was approved; null where the run begins. */
  plan: string | null
  approvers: Actor[]
  /** What started the run; null where that was no event. */
  event: object | null
  /** What strangers wrote in the event may not take effect before a person has seen it. */
  distrusted: boolean
  modelId: string | null
  /** The model that carries out a prompt in plain words, and the most tokens that it may take; null where none is to be asked. */
  model: { models: Models; tokens: number } | null
  /** What the run has asked before, and a person has answered. */
  answered: { question: string; answer: string } | null
}

export interface RunOutcome {
  status: 'completed' | 'failed' | 'needs_input'
  summary: string | null
  /** Why it failed, in a sentence or two; null where it did not. */
  error: string | null
  /** What somebody is to decide, and the plan that is decided on. */
  question: string | null
  plan: string | null
  calls: number
  durationMs: number
  /** Tokens that a model has read and written for it. */
  inputTokens: number
  outputTokens: number
}

/** What a run of a program answers, as the two tools do. */
export interface ProgramAnswer {
  body: { [key: string]: Json }
  isError: boolean
}

interface ProgramOptions {
  signal: AbortSignal
  dryRun: boolean
  /** `number` counts the calls of one attempt from 1. */
  onCall(call: object, number: number): void
}

/**
 * Runs a program as its owner would by `code_execute`, as far as all who bound it may. Nothing of it is kept when the run was
 * canceled meanwhile. Null when one of them has no rights any more.
 */
export type RunProgram = (
  assignment: Pick<Assignment, 'owner' | 'origin' | 'jobId' | 'approvers'>,
  code: string,
  options: ProgramOptions,
) => Promise<ProgramAnswer | null>

/** Searches the catalogue of operations as its owner would by `code_search`. Null when one who bounds it has no rights any more. */
export type SearchCatalogue = (
  assignment: Pick<Assignment, 'owner' | 'origin' | 'approvers'>,
  code: string,
  options: { signal: AbortSignal },
) => Promise<ProgramAnswer | null>

/** What the tools of agents are called and say of themselves. */
export interface AgentTools {
  instructions: string
  search: { name: string; description: string }
  execute: { name: string; description: string }
}

/** Does runs of one kind of prompt. */
export interface TaskRunner {
  /** `shortly`: in seconds; `long`: in minutes, with a model that costs tokens. */
  readonly lasts: 'shortly' | 'long'
  takes(prompt: string): boolean
  /** It is of no use to an account that has no model. */
  readonly needsModel: boolean
  /** Never rejects because of the run itself. An abort of the signal ends it; what it had not committed is undone. */
  run(assignment: Assignment, signal: AbortSignal): Promise<RunOutcome>
}

/** The runners of this service. Runs that none takes wait for an outside agent. */
export interface TaskRunners {
  find(prompt: string, has: { model: boolean }): TaskRunner | undefined
}
