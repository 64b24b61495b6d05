import { z } from 'zod'
import { actors } from '../../../contract/actors.ts'
import { flag, longText, oneOf, structure, text, timestamp } from '../../../contract/kinds.ts'
import { exampleId, noun } from '../../../contract/noun.ts'

/** What a listing can ask for; a plan that expired is stored as open. */
export const STATES = ['open', 'applied', 'rejected', 'expired'] as const

const MAX_CODE = 100_000
const MAX_CHANGES = 1_000_000
const MAX_NOTE = 1_000

/** What a person may write with a decision. */
export const NOTE = longText('A note for whoever planned it', MAX_NOTE, 'Too early.').nullable('nothing')

/** How many resources a plan creates, changes and deletes, by event type: `{ 'price_variant.updated': 90 }`. */
export type PlanCounts = Record<string, number>

export const ProgramPlan = noun('program_plan', {
  prefix: 'plan',
  group: 'ProgramPlans',
  description: 'What a program would change, for a person to decide on within an hour.',
  immutable: true,
  hidden: {
    applier_id: text('A token that a person made to apply it').nullable(),
    planner_token: text('The token that planned it').nullable(),
    limits: actors('Others whose rights bounded whoever planned it'),
    changes: longText('JSON: every change, in a form that another run’s changes can be compared with', MAX_CHANGES),
    shown: longText('JSON: the changes as the answer of the dry run showed them', MAX_CHANGES),
    announced_at: text('When the approvers were written to').nullable(),
  },
  fields: {
    state: oneOf(
      STATES,
      'open: waits; applied: carried out; rejected: a person said no; expired: nobody decided',
    ).readOnly(),
    counts: structure<PlanCounts>('object', z.custom<PlanCounts>(), 'Number of changes by event type', {
      'product.created': 1,
    }).derived(),
    code: longText('The program', MAX_CODE, 'post("/products", name: "Tea")["id"]').readOnly().long(),
    caller_kind: text('token: an API token; session: a person', { example: 'token' }).readOnly(),
    caller_id: text('The token or session that planned it', { example: exampleId('token') }).readOnly(),
    caller_name: text('Name of the token', { example: 'My agent' }).nullable('deleted since, or a person').derived(),
    user_id: text('The user with whose rights it is applied', { example: exampleId('user') }).readOnly(),
    user_name: text('Name of that user', { example: 'Ada' }).nullable('not a user any more').derived(),
    proposed: flag('It was planned by somebody who may only propose').readOnly(),
    task_run: text('The run of a task that it waits for', { example: exampleId('atrun') })
      .nullable('none')
      .readOnly(),
    note: longText('What the person wrote who decided', MAX_NOTE, 'Too early.').nullable('nothing').readOnly(),
    decided_by: text('The user who decided', { example: exampleId('user') })
      .nullable('not in the dashboard')
      .readOnly(),
    decided_by_name: text('Name of that user', { example: 'Ada' }).nullable('not known').derived(),
    decided_at: timestamp('When it was applied or rejected').nullable('not yet').readOnly(),
    expires_at: timestamp('When it can no longer be applied').readOnly(),
  },
})
