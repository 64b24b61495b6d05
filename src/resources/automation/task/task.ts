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
  timeZone,
} from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row } from '../../../contract/declarations/noun.ts'

/** The maximum length of a prompt in characters. A prompt may be a Ruby program. */
const MAX_PROMPT = 50_000
/** The interval between two runs in seconds; the maximum is 10 years. */
const LEAST_INTERVAL = 60
const MOST_INTERVAL = 315_360_000
const MAX_EVENT_TYPES = 50

const DELIVERY_METHODS = ['email'] as const
/** The maximum number of entries, including duplicates. */
const MAX_DELIVERY_METHODS = 10
export const Task = noun('task', {
  prefix: 'aitask',
  foundBy: ['name', 'description'],
  group: 'Tasks',
  area: 'automation',
  description:
    'Recurring work; each time it is done is a run. A prompt whose first line is "# ruby" is a program that this service runs, as code_execute does, with the rights of the prompt’s author; any other prompt is carried out by the service’s model, where one is set up, or waits for an external agent.',
  eventsNamed: 'ai_task',
  events: ['created', 'updated', 'deleted'],
  example: { cron_expression: null, interval_seconds: null, scheduled_at: null, expires_at: null },
  hidden: {
    owner_user: text('User whose rights its programs have'),
    owner_token: text('Token whose rights they are limited to').nullable(),
    limits: actors('Others whose rights its programs are limited to'),
    scheduled_from: timestamp('Where its intervals begin').nullable(),
    due_job: text('The job of what falls due next').nullable(),
    failure_told_at: timestamp('When its owner was last told of a failed run, in real time').nullable(),
  },
  fields: {
    name: text('Name of the task', { max: 100, example: 'Morning report' }).required(),
    description: longText('Short description', 2000, 'Sales of the day before.').nullable('none'),
    prompt: text(
      'Instructions for each run. If the first line is "# ruby", the rest is a Ruby program, in which `run` is the task run and `run["event"]` what started it: `type`, and `data`, which is what GET answers for the resource or what an event source received; the summary is the printed text, or else the last value',
      {
        max: MAX_PROMPT,
        verbatim: true,
        pattern: /\S/,
        says: "can't be blank",
        example: '# ruby\nputs "Orders: #{list("/orders").count}"',
      },
    )
      .required()
      .long(),
    trigger_type: oneOf(
      ['manual', 'schedule', 'event'],
      'manual: one run on creation, and each time active becomes true again (it is false after each run); schedule: at its times; event: one run for each event',
    ).default('manual'),
    cron_expression: text(
      'Cron schedule (minute, hour, day of the month, month, weekday) in the timezone; around clock changes, a skipped time runs right after and a repeated time runs once',
      { max: 200, example: '30 9 * * 1' },
    ).nullable('no cron schedule'),
    interval_seconds: integer('Interval between runs, counted from the change that set it', {
      min: LEAST_INTERVAL,
      max: MOST_INTERVAL,
      unit: 'seconds',
      example: 3600,
    }).nullable('no interval'),
    scheduled_at: timestamp('When it runs once').nullable('no single time set'),
    timezone: timeZone('IANA time zone of cron_expression').default('UTC'),
    event_types: texts(
      'Event types that start it, from the whole account (GET /events lists them). For one form only, the program compares `run["event"]["data"]["form"]`',
      {
        max: MAX_EVENT_TYPES,
        each: 100,
        example: [],
      },
    ).default([]),
    event_source: reference('event_source', 'Event source whose events start it', exampleId('evsrc'))
      .nullable('none')
      .expandable(),
    delivery_methods: structure<(typeof DELIVERY_METHODS)[number][]>(
      'array',
      z.array(z.enum(DELIVERY_METHODS)),
      'Ways to send the result of each run to the prompt’s author; only email is supported',
      [],
      { json: { type: 'array', items: { type: 'string', enum: DELIVERY_METHODS } }, max: MAX_DELIVERY_METHODS },
    ).default([]),
    approval_mode: oneOf(
      ['auto', 'supervised'],
      'auto: runs take effect immediately; supervised: each run makes a plan that waits for approval or rejection',
    ).default('auto'),
    model_id: text('Model that carries out prompts in plain words, or that an external agent should use', {
      max: 100,
      example: null,
    }).nullable('the model of the service, or the agent’s choice'),
    trust_events: flag(
      'Whether the service’s model may act on its own when an event starts a run. Otherwise such runs only propose a plan, because strangers may have written instructions into the event. Programs are not affected',
      false,
    ).default(false),
    active: flag('Whether it starts runs; false pauses it', true).default(true),
    expires_at: timestamp('When it becomes inactive automatically').nullable('never'),
    last_run: reference('task_run', 'Latest run', exampleId('atrun')).nullable('none yet').readOnly().expandable(),
    next_run_at: timestamp('When its next scheduled run starts').nullable('not scheduled').readOnly(),
    runs_count: integer('Number of runs', { min: 0, example: 0 }).readOnly(),
  },
})

export type TaskRow = Row<typeof Task>
