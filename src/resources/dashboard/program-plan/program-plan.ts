import { z } from 'zod'
import { actors } from '../../../contract/declarations/actors.ts'
import { flag, integer, longText, oneOf, structure, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row, readOnly } from '../../../contract/declarations/noun.ts'

/** The states that responses show. Expired plans are stored as `open`. */
const STATES = ['open', 'applied', 'rejected', 'withdrawn', 'replaced', 'expired'] as const

const MAX_CODE = 100_000
const MAX_CHANGES = 1_000_000
const MAX_ANSWER = 1_000_000
const MAX_NOTE = 1_000

export const NOTE = longText('Note for whoever made the plan', MAX_NOTE, 'Too early.').nullable('nothing')

/** The number of resources that a plan creates, changes or deletes, by event type: `{ 'price_variant.updated': 90 }`. */
export type PlanCounts = Record<string, number>

export const ProgramPlan = noun('program_plan', {
  prefix: 'plan',
  group: 'ProgramPlans',
  area: 'programs',
  description: 'The changes that a program would make, for a person to approve in time.',
  immutable: true,
  hidden: {
    applier_id: text('A token that a person made to apply it').nullable(),
    planner_token: text('The token that planned it').nullable(),
    limits: actors('Others whose rights bounded whoever planned it'),
    changes: longText('JSON: every change, in a form that another run’s changes can be compared with', MAX_CHANGES),
    shown: longText('JSON: the changes as the answer of the dry run showed them', MAX_CHANGES),
    consequences: longText('JSON: what follows its commit, by kind', MAX_CHANGES).nullable('not known'),
    awaited: flag('Whether a client waits for the decision'),
    answer: longText('Sealed: what applying it answered, for the client that waits', MAX_ANSWER).nullable('nothing'),
    answer_rights: text('JSON: the rights that this answer was made with').nullable('not known'),
    needs: text('JSON: the rights that the calls of its program needed').nullable('not known'),
    announced_at: text('When the approvers were written to').nullable(),
  },
  fields: readOnly({
    state: oneOf(
      STATES,
      'open: waiting for a decision; applied: carried out; rejected: declined by a person; withdrawn: taken back by its maker; replaced: made again as another plan; expired: not decided in time',
    ),
    counts: structure<PlanCounts>('object', z.custom<PlanCounts>(), 'Number of changes by event type', {
      'product.created': 1,
    }).derived(),
    after_commit: text(
      'What follows once it is applied, and is not taken back: charges, refunds, e-mails, posts, webhooks',
      {
        example: 'Charges $49.00.',
      },
    )
      .nullable('nothing')
      .derived(),
    background_rows: integer(
      'Rows that it would go over in the background, batch by batch, from the one that is planned',
    )
      .nullable('not in the background, or decided')
      .derived(),
    code: longText('The program', MAX_CODE, 'post("/products", name: "Tea")["id"]').long(),
    caller_kind: text('token: an API token; session: a person', { example: 'token' }),
    caller_id: text('Token or session that made the plan', { example: exampleId('token') }),
    caller_name: text('Name of the token', { example: 'My agent' }).nullable('deleted, or a person').derived(),
    user_id: text('User whose rights it is applied with', { example: exampleId('user') }),
    user_name: text('Name of that user', { example: 'Ada' }).nullable('no longer a user').derived(),
    proposed: flag('Whether its maker may only propose changes'),
    task_run: text('Task run that waits for it', { example: exampleId('atrun') }).nullable('none'),
    note: longText('Note from the person who decided', MAX_NOTE, 'Too early.').nullable('nothing'),
    decided_by: text('The user who decided', { example: exampleId('user') }).nullable('not in the dashboard'),
    decided_by_name: text('Name of that user', { example: 'Ada' }).nullable('not known').derived(),
    decided_at: timestamp('When it was applied, rejected, withdrawn or replaced').nullable('not claimed yet'),
    replaces: text('The plan that it was made again from', { example: exampleId('plan') }).nullable('none'),
    replaced_by: text('The plan that took its place', { example: exampleId('plan') }).nullable('none'),
    withheld: flag(
      'Whether its text and changes are left out: its maker, those who may decide on it, owners and admins see them',
    ).derived(),
    may_apply: flag('Whether the caller has the rights that applying it takes').derived(),
    expires_at: timestamp('When it expires'),
  }),
})

export type ProgramPlanRow = Row<typeof ProgramPlan>
