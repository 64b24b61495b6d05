import { z } from 'zod'
import { flag, integer, longText, oneOf, structure, text } from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, readOnly } from '../../../contract/declarations/noun.ts'

const KINDS = ['search', 'execute'] as const
export const COMMITTED = ['none', 'all', 'partial', 'unknown'] as const
/** The outcome of a successful run. Other runs have the type of their error as outcome. */
export const SUCCEEDED = 'succeeded'

const MAX_CODE = 100_000
const MAX_ERROR = 5_000

export interface RunCall {
  method: string
  path: string
  /** The HTTP status; null when the program ended before the response. */
  status: number | null
  id: string | null
  error?: string
  duration_ms?: number
}

/** The number and samples of changed resources by event type. A string replaces entries that were cut off. */
export type RunChanges = Record<string, { count?: number; samples?: (ChangeSample | string)[] } | string>

/** The new values of a changed resource. An updated field has the value `{ from, to }`. */
export type ChangeSample = { id?: string } & Record<string, unknown>

export const ProgramRun = noun('program_run', {
  prefix: 'run',
  group: 'ProgramRuns',
  area: 'programs',
  description: 'One run of a program: of an agent, a task or a person.',
  immutable: true,
  hidden: {
    written: integer('Bytes of the runs of the account up to this one').default(0),
  },
  fields: readOnly({
    kind: oneOf(KINDS, 'search: over the catalogue of operations; execute: calls them'),
    outcome: text('succeeded, or the type of its error', { example: 'succeeded' }),
    committed: oneOf(COMMITTED, 'Changes that were kept'),
    dry_run: flag('Whether it only showed what it would change'),
    code: longText('The program', MAX_CODE, 'get("/account")["name"]').long(),
    calls_count: integer('Number of calls of the API', { min: 0, unit: 'calls', example: 3 }),
    calls: structure<RunCall[]>('array', z.custom<RunCall[]>(), 'The last calls', [
      { method: 'GET', path: '/account', status: 200, id: exampleId('acct') },
    ]).long(),
    changes: structure<RunChanges>(
      'object',
      z.custom<RunChanges>(),
      'What it changed, or would have changed in a dry run, by event type: counts and samples',
      { 'tag.created': { count: 1, samples: [{ id: exampleId('tag'), name: 'VIP' }] } },
    ).long(),
    error: longText('Why it failed', MAX_ERROR, 'The call was refused.').nullable('it did not fail'),
    error_line: integer('Line of the program where it failed', { min: 1 }).nullable('not known'),
    error_hint: longText('Suggested fix', MAX_ERROR, 'Run it again.').nullable('not known'),
    runs: integer('Number of attempts, because of conflicting changes', { min: 1 }),
    withheld: flag(
      'Whether its text, calls, changes and errors are left out: its caller, owners and admins see them',
    ).derived(),
    duration_ms: integer('Time from start to end', { min: 0, unit: 'milliseconds', example: 42 }),
    caller_kind: text('token: an API token; session: a person', { example: 'token' }),
    caller_id: text('The token or session that ran it', { example: exampleId('token') }),
    caller_name: text('Name of the token', { example: 'My agent' }).nullable('deleted, or a person').derived(),
    user_id: text('The user whose rights it had', { example: exampleId('user') }),
    user_name: text('Name of that user', { example: 'Ada' }).nullable('no longer a user').derived(),
    task_run: text('Task run that it was part of', { example: exampleId('atrun') }).nullable('none'),
    plan: text('The plan that it made or applied', { example: exampleId('plan') }).nullable('none'),
    background: text('The background program that it was a batch of', { example: exampleId('bg') }).nullable('none'),
  }),
})
