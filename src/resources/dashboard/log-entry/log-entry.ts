import { z } from 'zod'
import { oneOf, structure, text, texts } from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, readOnly } from '../../../contract/declarations/noun.ts'

const LOG_KINDS = ['operation', 'program', 'job'] as const

export const LogEntry = noun('log_entry', {
  prefix: 'log',
  plural: 'log_entries',
  group: 'Members',
  area: 'log',
  description:
    'Who changed what: an operation of a person or an agent, a program with all that it changed, or a job of the service. Kept for 12 months.',
  immutable: true,
  fields: readOnly({
    kind: oneOf(
      LOG_KINDS,
      'operation: one call; program: all calls of a program; job: work that the service did later, such as a renewal',
    ),
    operation: text('Operation that was called', { max: 200, example: 'update_product' }).nullable(
      'a program or a job',
    ),
    resource_id: text('Resource that changed', { max: 200, example: exampleId('prod') }).nullable('none, or several'),
    fields: texts('Names of the fields that were given, without their values', { example: ['name'] }),
    changes: structure<Record<string, number>>(
      'object',
      z.record(z.string(), z.number()),
      'How many resources changed, by event type',
      { 'product.updated': 1 },
    ),
    user_id: text('The person whose rights it had', { example: exampleId('user') }).nullable('the service itself'),
    user_name: text('Name of that person', { example: 'Ada Lovelace' })
      .nullable('the service itself, or no longer in the account')
      .derived(),
    caller_kind: text('token: an API token or a connected agent; session: a person; job: the service', {
      max: 20,
      example: 'token',
    }),
    caller_id: text('The token, connection, session or job', { max: 200, example: exampleId('token') }),
    caller_name: text('Name of the token or of the connected agent', { example: 'My agent' })
      .nullable('a person, a job, or deleted')
      .derived(),
    approver_id: text('The person who applied the plan', { example: null }).nullable('no plan'),
    approver_name: text('Name of that person', { example: null })
      .nullable('no plan, or no longer in the account')
      .derived(),
    plan: text('The plan that it carried out', { example: null }).nullable('none'),
    task_run: text('The task run that it was part of', { example: null }).nullable('none'),
  }),
})
