import { z } from 'zod'
import { actors } from '../../../contract/declarations/actors.ts'
import type { RunOrigin } from '../../../contract/declarations/caller.ts'
import { flag, integer, longText, oneOf, structure, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row, readOnly } from '../../../contract/declarations/noun.ts'

const STATES = ['waiting_for_approval', 'queued', 'running', 'stopped', 'failed', 'done'] as const

const MAX_CODE = 300_000
const MAX_TEXT = 5_000
const MAX_END = 20_000

export interface BatchedList {
  path: string
  query: Record<string, unknown>
}

export const BackgroundProgram = noun('background_program', {
  prefix: 'bg',
  group: 'BackgroundPrograms',
  area: 'programs',
  description: 'A program that goes over the rows of a list in batches, each a transaction of its own.',
  hidden: {
    token_id: text('The token whose rights it has').nullable(),
    limits: actors('Others whose rights bound it'),
    approvers: actors('Those who have approved it'),
    rights: text('JSON: the rights that it was begun with').nullable('not known'),
    origin: structure<RunOrigin>('object', z.custom<RunOrigin>(), 'The run of a task that it comes from', {
      run: '',
      tasks: [],
    }).nullable(),
    list: structure<BatchedList>('object', z.custom<BatchedList>(), 'The list whose rows it is about', {
      path: '/customers',
      query: {},
    }),
    operations: structure<string[]>('array', z.custom<string[]>(), 'What it may call to write', []).nullable(),
    calls_paid: integer('Calls of the next batch that are paid for', { min: 0 }).default(0),
    job: text('The job that does the next batch').nullable(),
    first_end: longText('JSON of how it ended before it was let go on', MAX_END, '{}').nullable(),
  },
  fields: readOnly({
    state: oneOf(
      STATES,
      'waiting_for_approval: a person must approve it; queued: its next batch has not begun; running: at work; stopped: ended by a person, its agent or a lost right; failed: a batch failed; done: all rows are done',
    ),
    code: longText('The program', MAX_CODE, 'each_batch(list("/customers")) { |rows| rows.size }').long(),
    rows_count: integer('Rows that it was begun with', { min: 0 }),
    place: integer('Rows that are done or left out', { min: 0 }),
    left_out_count: integer('Rows that were deleted before their batch', { min: 0 }),
    batch_size: integer('Most rows of a batch', { min: 1 }),
    batches_count: integer('Batches that are done', { min: 0 }),
    changes: structure<Record<string, number>>(
      'object',
      z.custom<Record<string, number>>(),
      'Number of changes so far by event type',
      { 'customer.updated': 500 },
    ),
    last_value: longText('JSON of what the last block returned', MAX_TEXT, '500').nullable('none'),
    value_sum: structure<number>('number', z.number(), 'Sum of what the blocks returned', 3000).nullable(
      'not all returned numbers',
    ),
    value_sums: longText('JSON of the sums of the counts that the blocks returned', MAX_TEXT, '{"tagged":40}').nullable(
      'not all returned hashes of numbers',
    ),
    asked_operations: structure<string[]>('array', z.custom<string[]>(), 'Operations that wait for an approval', [
      'POST /refunds',
    ]).nullable('none'),
    error_type: text('Type of the error', { example: 'ruby_error' }).nullable('no batch has failed'),
    error: longText('Why it stopped', MAX_TEXT, 'The call was refused.').nullable('it did not'),
    error_line: integer('Line of the program where a batch failed', { min: 1 }).nullable('not known'),
    error_hint: longText('Suggested fix', MAX_TEXT, 'Run it again.').nullable('not known'),
    caller_kind: text('token: an API token; session: a person', { example: 'token' }),
    caller_id: text('The token or session that began it', { example: exampleId('token') }),
    caller_name: text('Name of the token', { example: 'My agent' }).nullable('deleted, or a person').derived(),
    user_id: text('The user whose rights it has', { example: exampleId('user') }),
    user_name: text('Name of that user', { example: 'Ada' }).nullable('no longer a user').derived(),
    task_run: text('Task run that began it', { example: exampleId('atrun') }).nullable('none'),
    plan: text('The plan that began it', { example: exampleId('plan') }).nullable('none'),
    next_at: timestamp('When the next batch begins, while it waits for its rate limit').nullable('soon'),
    started_at: timestamp('When its first batch was committed').nullable('not yet'),
    finished_at: timestamp('When it was done, failed or was stopped').nullable('not yet'),
    expires_at: timestamp('When it is forgotten').nullable('not while it is at work'),
    withheld: flag(
      'Whether its text, changes, results and errors are left out: its caller, owners and admins see them',
    ).derived(),
    expected_end_at: timestamp('When all rows are likely to be done').nullable('not known').derived(),
  }),
})

export type BackgroundProgramRow = Row<typeof BackgroundProgram>
