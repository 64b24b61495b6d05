import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/contract/declarations/caller.ts'
import { oneOf, text } from '../../src/contract/declarations/kinds.ts'
import { noun, type Row } from '../../src/contract/declarations/noun.ts'
import { newId } from '../../src/contract/values/ids.ts'
import type { JobRow } from '../../src/database/system-tables.ts'
import { job } from '../../src/records/job.ts'
import { changeRow, insertRow, requireRow } from '../../src/records/records.ts'
import { resource } from '../../src/records/resource.ts'
import { verbs } from '../../src/records/verbs.ts'
import { engines } from '../database/engines.ts'
import { openSmallShop, type SmallShop } from '../support/small-shop.ts'

const Letter = noun('letter', {
  prefix: 'letter',
  group: 'Letters',
  description: 'A text on its way.',
  events: ['created', 'updated'],
  fields: {
    text: text('What it says').required(),
    status: oneOf(['pending', 'sent', 'failed'], 'Where it is').readOnly(),
  },
})

/** What the carrier outside did, as it would see it: one entry for each attempt. */
const carried: { jobId: string; attempt: number; text: string }[] = []

const sendLetter = job<{ id: string }>('send_letter', {
  emits: ['letter.updated'],
  attempts: 2,
  timeoutMs: 5_000,
  async work({ jobId, attempt, transaction }, { id }) {
    const letter = await transaction((context) => requireRow(context, Letter, id))
    carried.push({ jobId, attempt, text: letter.text })
    if (letter.text === 'lost') throw new Error('The carrier lost it')
    await transaction(async (context) => {
      await context.remember(Letter, [letter])
      context.emit(Letter, 'updated', await changeRow(context, Letter, letter, { status: 'sent' }))
    })
  },
})

const { create } = verbs(Letter)
const post = (awaited: boolean, path: string) =>
  create({
    id: path.slice(1),
    path,
    summary: 'Send a letter',
    emits: ['letter.created'],
    rule: async (context, input): Promise<Row<typeof Letter>> => {
      const letter = await insertRow(context, Letter, { ...input, status: 'pending' })
      await context.enqueue(sendLetter, { id: letter.id }, { awaited })
      context.emit(Letter, 'created', letter)
      if (input.text === 'refused') throw new Error('On purpose')
      return letter
    },
  })

const letters = resource(Letter, {
  jobs: [sendLetter],
  operations: [post(true, '/letters'), post(false, '/letters_later')],
})

const TABLE = `create table letters (
  account_id text not null, id text not null, text text not null, status text not null,
  created_at text not null, updated_at text not null, primary key (account_id, id)
)`

describe.each(engines)('Outside work on $name', (engine) => {
  describe.skipIf(!engine.available)('is a job', () => {
    let shop: SmallShop
    beforeAll(async () => {
      carried.length = 0
      shop = await openSmallShop(engine, [letters], TABLE)
    })
    afterAll(() => shop.close())

    const jobs = () => shop.database.read.selectFrom('jobs').selectAll().orderBy('id').execute()
    const of = (words: string) => carried.filter((one) => one.text === words)
    /** Polls until it holds, as long as the test may take. */
    const until = async (condition: () => Promise<boolean> | boolean) => {
      while (!(await condition())) await delay(20)
    }

    it('that runs after the commit, and whose result the answer shows', async () => {
      const answer = await shop.call('POST', '/letters', { text: 'hello' })
      expect(answer).toMatchObject({ status: 201, body: { status: 'sent' } })
      expect(of('hello')).toHaveLength(1)
      expect((await jobs()).at(-1)).toMatchObject({ state: 'done', attempts: 1, last_error: null })
      const events = await shop.database.read.selectFrom('events').selectAll().orderBy('id').execute()
      expect(events.slice(-2).map((event) => event.type)).toEqual(['letter.created', 'letter.updated'])
    })

    it('whose result replaces the stored answer of an Idempotency-Key', async () => {
      const send = () => shop.call('POST', '/letters', { text: 'once' }, { idempotencyKey: 'letter-1' })
      const [first, again] = [await send(), await send()]
      expect(first.body).toMatchObject({ status: 'sent' })
      expect(again).toMatchObject({ body: first.body, headers: { 'Idempotent-Replayed': 'true' } })
      expect(of('once')).toHaveLength(1)
    })

    it('that the answer does not wait for unless it says so', async () => {
      expect((await shop.call('POST', '/letters_later', { text: 'later' })).body).toMatchObject({ status: 'pending' })
      await until(async () => (await jobs()).at(-1)!.state === 'done')
      expect(of('later')).toHaveLength(1)
    })

    it('that starts with the commit of a program, whose own answers show what is pending', async () => {
      const program = shop.database.transaction(async (unit) => {
        const scope = {
          read: unit.db,
          transaction: <T>(work: (inner: typeof unit) => Promise<T>) => unit.savepoint(() => work(unit)),
        }
        const answer = await shop.call('POST', '/letters', { text: 'within' }, { scope })
        expect(answer).toMatchObject({ body: { status: 'pending' }, left: { jobs: [expect.any(String)] } })
        expect(of('within')).toHaveLength(0)
      })
      await program
      await until(() => of('within').length === 1)
    })

    it('that is gone when its transaction is rolled back', async () => {
      const before = (await jobs()).length
      expect((await shop.call('POST', '/letters', { text: 'refused' })).status).toBe(500)
      shop.errors.length = 0
      expect((await jobs()).length).toBe(before)
      expect(of('refused')).toHaveLength(0)
    })

    it('that is tried again under the same id, and fails after its last attempt', async () => {
      await shop.call('POST', '/letters_later', { text: 'lost' })
      await until(async () => (await jobs()).at(-1)!.state === 'failed')
      expect((await jobs()).at(-1)).toMatchObject({ attempts: 2, last_error: 'The carrier lost it' })
      expect(new Set(of('lost').map(({ jobId }) => jobId)).size).toBe(1)
      expect(of('lost').map(({ attempt }) => attempt)).toEqual([1, 2])
      expect(shop.errors.splice(0)).toHaveLength(2)
    })

    it('that another worker takes over when its own was lost', async () => {
      const letter = (await shop.call('POST', '/letters', { text: 'orphan' })).body as { id: string }
      const { id } = (await jobs()).at(-1)!
      const lost: Partial<JobRow> = { state: 'working', attempts: 1, leased_until: '2026-01-01T00:00:00Z' }
      await shop.database.transaction(({ db }) => db.updateTable('jobs').set(lost).where('id', '=', id).execute())
      const other = shop.anotherWorker()
      other.start()
      await until(async () => (await jobs()).find((one) => one.id === id)!.state === 'done')
      await other.stop()
      expect(of('orphan').map(({ jobId, attempt }) => [jobId, attempt])).toEqual([
        [id, 1],
        [id, 2],
      ])
      expect(letter.id).toMatch(/^letter_/)
    })

    it('that does not wait behind all those of another account', async () => {
      const crowd = Array.from({ length: 40 }, (_, index) =>
        shop.call('POST', '/letters_later', { text: `crowd ${index}` }),
      )
      const caller: Caller = { kind: 'job', accountId: newId('acct'), jobId: 'job_x' }
      const neighbour: Caller = { ...caller, kind: 'session', sessionId: 's', userId: 'u', role: 'owner' }
      await Promise.all(crowd)
      await shop.call('POST', '/letters_later', { text: 'neighbour' }, { caller: neighbour })
      await until(
        () => carried.filter(({ text }) => text.startsWith('crowd')).length === 40 && of('neighbour').length === 1,
      )
      const place = carried.findIndex(({ text }) => text === 'neighbour')
      expect(place).toBeLessThan(carried.length - 1)
    })
  })
})
