import { text } from '../../src/contract/declarations/kinds.ts'
import { noun } from '../../src/contract/declarations/noun.ts'
import { timestampOf } from '../../src/contract/values/values.ts'
import { dueJob, job } from '../../src/records/job.ts'
import { insertRow } from '../../src/records/records.ts'
import { type Resource, resource } from '../../src/records/resource.ts'

/** A test resource: bells that ring at times of an account's clock and notify a service outside. */

export const DAY_MS = 24 * 60 * 60 * 1000

export const RINGS_TABLE = `create table rings (
  account_id text not null, id text not null, bell text not null, created_at text not null, primary key (account_id, id)
)`

export interface Bell {
  bell: string
  /** The number of days until it rings again. Without it, the bell rings once. */
  every?: number
}

/** A notification outside, with the time at which the bell rang. */
export interface Heard extends Bell {
  accountId: string
  at: string
}

const Ring = noun('ring', {
  prefix: 'ring',
  group: 'Rings',
  description: 'One sound of a bell.',
  events: ['created'],
  immutable: true,
  fields: { bell: text('Which bell').required() },
})

/** Returns the timestamp `ms` milliseconds after another. */
export function later(moment: string, ms: number): string {
  return timestampOf(new Date(Date.parse(moment) + ms))
}

/** The job that notifies outside. It fails for a bell called `unheard`. */
function tellWith(hear: (heard: Heard) => void | Promise<void>) {
  return job<Omit<Heard, 'accountId'>>('bell.tell', {
    attempts: 2,
    async work({ accountId }, { bell, at }) {
      if (bell === 'unheard') throw new Error('Nobody listens')
      await hear({ accountId, bell, at })
    },
  })
}

/** The job that rings a bell, and schedules the next ring. It fails for a bell called `cracked`. */
export const ring = dueJob<Bell>('bell.ring', {
  emits: ['ring.created'],
  attempts: 3,
  async work(context, payload) {
    const { bell, every } = payload
    context.emit(Ring, 'created', await insertRow(context, Ring, { bell }))
    if (bell === 'cracked') throw new Error('It makes no sound')
    await context.enqueue({ name: 'bell.tell' }, { bell, at: context.now })
    if (every) await context.enqueue(ring, payload, { runAt: later(context.now, every * DAY_MS) })
  },
})

export function bells(hear: (heard: Heard) => void | Promise<void>): Resource {
  return resource(Ring, { jobs: [ring, tellWith(hear)] })
}
