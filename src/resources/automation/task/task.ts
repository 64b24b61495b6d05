import { z } from 'zod'
import { actors } from '../../../contract/actors.ts'
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
} from '../../../contract/kinds.ts'
import { exampleId, noun } from '../../../contract/noun.ts'

/** Characters of a prompt, which may be a program. */
const MAX_PROMPT = 50_000
/** Bounds of the seconds between two runs; the upper one is 10 years. */
const LEAST_INTERVAL = 60
const MOST_INTERVAL = 315_360_000
/** Event types that one task hears of. */
const MAX_EVENT_TYPES = 50

export const DELIVERY_METHODS = ['email'] as const
export type DeliveryMethod = (typeof DELIVERY_METHODS)[number]

export const Task = noun('task', {
  prefix: 'aitask',
  group: 'Tasks',
  description:
    'Work that is done again and again: each time is a run. A prompt that begins with the line "# ruby" is a program that this service runs itself, as code_execute does, with the rights of whoever wrote the prompt; runs of any other prompt wait for an outside agent.',
  eventsNamed: 'ai_task',
  events: ['created', 'updated', 'deleted'],
  example: { cron_expression: null, interval_seconds: null, scheduled_at: null, expires_at: null },
  hidden: {
    owner_user: text('User whose rights its programs have'),
    owner_token: text('Token whose rights they are limited to').nullable(),
    limits: actors('Others whose rights its programs are limited to'),
    scheduled_from: timestamp('Where its intervals begin').nullable(),
    due_job: text('The job of what falls due next').nullable(),
  },
  fields: {
    name: text('Name of the task', { max: 100, example: 'Morning report' }).required(),
    description: longText('A few words about it', 2000, 'Sales of the day before.').nullable('none'),
    prompt: text(
      'Instructions for each run. A first line "# ruby" makes the rest a Ruby program, in which `run` is the task run, `run["event"]` what started it, and printed text becomes the summary, or else the last value',
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
      'manual: one run when it is created and when active becomes true again, false after each run; schedule: at its times; event: one run for each event',
    ).default('manual'),
    cron_expression: text(
      'Times as minute, hour, day of the month, month, weekday, in the timezone; one that the clock skips when it is set forward comes right after, one that it shows twice comes once',
      { max: 200, example: '30 9 * * 1' },
    ).nullable('no cron schedule'),
    interval_seconds: integer('Pause between runs, counted from the change that set it', {
      min: LEAST_INTERVAL,
      max: MOST_INTERVAL,
      unit: 'seconds',
      example: 3600,
    }).nullable('no interval'),
    scheduled_at: timestamp('When it runs, once').nullable('not planned for a moment'),
    timezone: timeZone('IANA name of the time zone of cron_expression').default('UTC'),
    event_types: texts('Event types that start it (GET /events lists them)', {
      max: MAX_EVENT_TYPES,
      each: 100,
      example: [],
    }).default([]),
    event_source: reference('event_source', 'Event source whose events start it', exampleId('evsrc'))
      .nullable('none')
      .expandable(),
    delivery_methods: structure<DeliveryMethod[]>(
      'array',
      z.array(z.enum(DELIVERY_METHODS)),
      'Ways in which the result of each run is sent to the user who wrote the prompt; email is the one there is',
      [],
      { json: { type: 'array', items: { type: 'string', enum: DELIVERY_METHODS } } },
    ).default([]),
    approval_mode: oneOf(
      ['auto', 'supervised'],
      'auto: runs act at once; supervised: a run only plans, and waits until someone approves or rejects its plan',
    ).default('auto'),
    model_id: text('Model that an outside agent should use', { max: 100, example: null }).nullable('its own choice'),
    active: flag('Whether runs are started; false pauses it', true).default(true),
    expires_at: timestamp('When it becomes inactive by itself').nullable('never'),
    last_run: reference('task_run', 'Newest run', exampleId('atrun')).nullable('none yet').readOnly().expandable(),
    next_run_at: timestamp('When the next run of its schedule starts').nullable('not planned').readOnly(),
    runs_count: integer('Number of runs', { min: 0, example: 0 }).readOnly(),
  },
})
