import { z } from 'zod'
import { actors } from '../../../contract/declarations/actors.ts'
import {
  flag,
  integer,
  longText,
  oneOf,
  reference,
  structure,
  text,
  texts,
  timestamp,
} from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row } from '../../../contract/declarations/noun.ts'

/** In characters. */
const MAX_SUMMARY = 20_000
const MAX_INPUT = 20_000
const MAX_ERROR = 2_000

const STATUSES = ['pending', 'running', 'completed', 'failed', 'needs_input', 'canceled'] as const
export const UNFINISHED = ['pending', 'running', 'needs_input'] as const
export type RunStatus = (typeof STATUSES)[number]

/** The event that started a run, from the account or from an event source. */
export interface RunEvent {
  type: string
  data: Record<string, unknown>
  /** Events of the account have an id and the fields below; events of a source do not. */
  id?: string
  created_at?: string
  previous_attributes?: Record<string, unknown>
}

export const TaskRun = noun('task_run', {
  prefix: 'atrun',
  group: 'TaskRuns',
  area: 'automation',
  description: 'One run of a task.',
  eventsNamed: 'ai_task_run',
  events: ['started', 'completed', 'canceled', 'failed', 'needs_input'],
  example: { question: null, error_message: null },
  states: {
    pending: ['running', 'canceled'],
    running: ['completed', 'failed', 'needs_input', 'canceled'],
    needs_input: ['running', 'failed', 'canceled'],
    completed: [],
    failed: [],
    canceled: [],
  },
  hidden: {
    chain: texts('Tasks whose runs led to this one').default([]),
    plan: text('The plan that waits for approval').nullable(),
    runner_job: text('The job of this service that has claimed it').nullable(),
    limits: actors('Those who started it, where that was no schedule and no event'),
    approvers: actors('Those who approved its plan'),
    asked: longText('What the service’s model has asked', MAX_SUMMARY, 'Which list?').nullable(),
    kept: flag('Its program has committed changes').default(false),
  },
  fields: {
    task_id: text('Id of the task', { example: exampleId('aitask') }).readOnly(),
    task: reference('task', 'Task it is a run of', exampleId('aitask'))
      .nullable('the task was deleted')
      .readOnly()
      .expandable(),
    task_name: text('Name of the task when it started', { example: 'Morning report' }).readOnly(),
    status: oneOf(
      STATUSES,
      'pending: waiting for a runner; running: claimed by one; needs_input: waiting for an answer or approval; completed: done; failed: ended without a result; canceled: stopped by someone. allowed_actions lists the statuses it can be set to',
    ).updateOnly(),
    question: longText('Question to answer while it needs input', MAX_SUMMARY, 'Which list?')
      .nullable('nothing')
      .updateOnly(),
    input: longText('Answer to the question', MAX_INPUT, 'The newsletter.').nullable('none').updateOnly(),
    summary: longText(
      'Result. For programs: the printed text, even if the plan is rejected, or else the last value',
      MAX_SUMMARY,
      'Orders: 12',
    )
      .nullable('none yet')
      .updateOnly()
      .long(),
    error_message: longText('Why it failed, or why it waits while pending', MAX_ERROR, 'The program failed.')
      .nullable('neither')
      .updateOnly(),
    event: structure<RunEvent>(
      'object',
      z.custom<RunEvent>(),
      'Event that started it: type and data; the account’s own events also have id, created_at and, for changes, the old values',
      { type: 'order.paid', data: { id: exampleId('order'), object: 'order' } },
      {
        json: {
          type: 'object',
          required: ['type', 'data'],
          properties: { type: { type: 'string' }, data: { type: 'object' } },
        },
      },
    )
      .nullable('not started by an event')
      .readOnly()
      .byStrangers()
      .long(),
    input_tokens: integer('Number of input tokens of the model', { min: 0, example: 0 }).readOnly(),
    output_tokens: integer('Number of output tokens of the model', { min: 0, example: 0 }).readOnly(),
    credits_consumed: integer('Credits spent by its calls', { min: 0, unit: 'credits', example: 0 }).readOnly(),
    tool_calls_count: integer('Number of API calls made by its program', { min: 0, example: 3 }).readOnly(),
    duration_ms: integer('Time from start to end', { min: 0, unit: 'milliseconds', example: 420 })
      .nullable('not finished')
      .readOnly(),
    started_at: timestamp('When a runner claimed it').nullable('not claimed yet').readOnly(),
    completed_at: timestamp('When it finished').nullable('not finished').readOnly(),
  },
})

export type TaskRunRow = Row<typeof TaskRun>
