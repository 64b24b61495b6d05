import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/contract/declarations/caller.ts'
import { flag, integer, oneOf, text } from '../../src/contract/declarations/kinds.ts'
import { answerNoun, type EventOf, noun } from '../../src/contract/declarations/noun.ts'
import { openapi } from '../../src/contract/documents/openapi.ts'
import { custom, customList, outside } from '../../src/records/custom.ts'
import { changeRow, insertRow } from '../../src/records/records.ts'
import { resource } from '../../src/records/resource.ts'
import { verbs } from '../../src/records/verbs.ts'
import { engines } from '../database/engines.ts'
import { openSmallShop, type SmallShop } from '../support/small-shop.ts'

const Parcel = noun('parcel', {
  prefix: 'parcel',
  group: 'Parcels',
  description: 'Something on its way.',
  events: ['created', 'updated', 'parcel_lost.noticed'],
  hidden: { weighings: integer('How often it was weighed').default(0), route_key: text('What sorts it') },
  fields: {
    label: text('What is written on it').required(),
    status: oneOf(['packed', 'sent'], 'Where it is').readOnly(),
    fragile: flag('Handle with care').default(false),
  },
})

const Quote = answerNoun('quote', {
  group: 'Parcels',
  description: 'What sending would cost.',
  fields: { zone: text('The zone'), amount: integer('In cents'), express: flag('Whether it is fast') },
})

const Health = answerNoun('health', {
  group: 'Parcels',
  description: 'How the depot is.',
  withoutObject: true,
  fields: { open: flag('Whether it is open') },
})

const { list, create, update, action, collectionAction } = verbs(Parcel)
const byJobsAlone: Caller['kind'][] = ['job']

const parcels = resource(Parcel, {
  operations: [
    list({ summary: 'List parcels' }),
    create({
      summary: 'Pack a parcel',
      rule: async (context, input) => {
        const parcel = await insertRow(context, Parcel, { ...input, status: 'packed', route_key: input.label })
        return context.emit(Parcel, 'created', parcel)
      },
    }),
    update({
      summary: 'Change a parcel',
      rule: async (context, parcel, changes) =>
        context.emit(Parcel, 'updated', await changeRow(context, Parcel, parcel, changes)),
    }),
    action('weigh', {
      summary: 'Weigh a parcel',
      emits: ['parcel.updated'],
      rule: async (context, parcel) => {
        const weighed = await changeRow(context, Parcel, parcel, { weighings: parcel.weighings + 1 })
        context.emit(Parcel, 'updated', weighed)
        return weighed
      },
    }),
    action('inspect', {
      summary: 'Look into a parcel',
      callers: byJobsAlone,
      rule: async (_, parcel) => parcel,
    }),
    action('forget', {
      summary: 'Emit what was not remembered',
      emits: [],
      rule: async (context, parcel) => {
        context.emit(Parcel, 'updated', parcel)
        return parcel
      },
    }),
    collectionAction('send_oldest', {
      summary: 'Send the oldest parcel',
      body: { express: flag('Whether it is fast').default(false) },
      emits: ['parcel.updated', 'parcel_lost.noticed'],
      rule: async (context, { express }) => {
        const rows = context.db
          .selectFrom('parcels' as 'tags')
          .selectAll()
          .where('account_id', '=', context.accountId)
        const { id } = await rows.orderBy('id').executeTakeFirstOrThrow()
        const parcel = await insertRow(context, Parcel, { label: `copy of ${id}`, route_key: 'x', status: 'packed' })
        await context.remember(Parcel, [parcel])
        const sent = await changeRow(context, Parcel, parcel, { status: 'sent', fragile: express })
        context.emit(Parcel, 'updated', sent)
        context.emit(Parcel, 'parcel_lost.noticed', sent)
        return sent
      },
    }),
    custom({
      id: 'quote_parcel',
      method: 'POST',
      path: '/parcels/{id}/quotes/{zone}',
      summary: 'Say what sending would cost',
      answers: Quote,
      query: { currency: text('Of the amount') },
      body: { express: flag('Whether it is fast').required() },
      readsOnly: true,
      // @ts-expect-error: a quote has no secret, and no answer shows it.
      rule: async (_, { path, query, input }) => ({
        zone: `${path.zone} ${path.id} ${query.currency}`,
        amount: input.express ? 900 : 400,
        express: input.express,
        secret: 'never shown',
      }),
    }),
    custom({
      id: 'depot_health',
      method: 'GET',
      path: '/parcels/health',
      summary: 'Say how the depot is',
      answers: Health,
      rule: async () => ({ open: true }),
    }),
    customList({
      id: 'list_zones',
      method: 'GET',
      path: '/parcels/zones',
      summary: 'List what each zone costs',
      answers: Quote,
      rule: async () => ({ rows: [{ zone: 'north', amount: 1, express: false }], hasMore: false }),
    }),
    outside({
      id: 'track_parcel',
      method: 'POST',
      path: '/parcels/track',
      summary: 'Ask the carrier',
      answers: Quote,
      emits: ['parcel.created'],
      rule: async (context, { input }) => {
        const cost = await context.transaction(async (inside) => {
          const parcel = await insertRow(inside, Parcel, { label: 'tracked', route_key: 'x', status: 'sent' })
          inside.emit(Parcel, 'created', parcel)
          return 5
        })
        if ('fail' in input) throw new Error('The carrier is gone')
        return { zone: 'outside', amount: cost, express: false }
      },
    }),
  ],
})

const TABLE = `create table parcels (
  account_id text not null, id text not null, label text not null, status text, fragile integer not null,
  weighings integer not null, route_key text not null, created_at text not null, updated_at text not null,
  primary key (account_id, id)
)`

// @ts-expect-error an event that the noun does not declare does not compile
const undeclared: EventOf<typeof Parcel> = 'deleted'

describe.each(engines)('The vocabulary on $name', (engine) => {
  describe.skipIf(!engine.available)('of operations', () => {
    let shop: SmallShop
    beforeAll(async () => {
      shop = await openSmallShop(engine, [parcels, resource(Quote, {}), resource(Health, {})], TABLE)
    })
    afterAll(() => shop.close())

    const pack = async (label = 'books') => (await shop.call('POST', '/parcels', { label })).body as { id: string }
    const events = () => shop.database.read.selectFrom('events').selectAll().orderBy('id').execute()

    it('lets a custom rule see the path, the query and the body, and shows what its noun declares', async () => {
      const { id } = await pack()
      const answer = await shop.call(
        'POST',
        `/parcels/${id}/quotes/north`,
        { express: true },
        { query: { currency: 'usd' } },
      )
      expect(answer).toMatchObject({ status: 200, operationId: 'quote_parcel', ignored: [] })
      expect(answer.body).toEqual({ object: 'quote', zone: `north ${id} usd`, amount: 900, express: true })
      const missing = await shop.call('POST', `/parcels/${id}/quotes/north`, {})
      expect(missing.body).toMatchObject({ error: { code: 'parameter_missing', param: 'express' } })
    })

    it('answers custom objects without a type, and lists', async () => {
      expect((await shop.call('GET', '/parcels/health')).body).toEqual({ open: true })
      expect((await shop.call('GET', '/parcels/zones')).body).toEqual({
        object: 'list',
        data: [{ object: 'quote', zone: 'north', amount: 1, express: false }],
        has_more: false,
        url: '/v1/parcels/zones',
      })
    })

    it('documents them like all others', () => {
      const nouns = [Parcel, Quote, Health]
      const document = openapi(shop.pipeline.operations, nouns, shop.pipeline.presenter.findNoun, '/v1') as {
        paths: Record<string, Record<string, { operationId: string; parameters?: { name: string }[] }>>
        components: { schemas: Record<string, { properties: object }> }
      }
      const quote = document.paths['/parcels/{id}/quotes/{zone}']!.post!
      expect(quote.parameters!.map(({ name }) => name)).toEqual(['id', 'zone', 'currency'])
      expect(Object.keys(document.components.schemas.Health!.properties)).toEqual(['open'])
      expect(document.paths['/parcels/send_oldest']!.post!.operationId).toBe('send_oldest_parcels')
    })

    it('acts on the collection, with what was remembered and what has a name of its own', async () => {
      await pack()
      const sent = await shop.call('POST', '/parcels/send_oldest', { express: true })
      expect(sent.body).toMatchObject({ object: 'parcel', status: 'sent', fragile: true })
      const [changed, lost] = (await events()).slice(-2)
      expect([changed!.type, lost!.type]).toEqual(['parcel.updated', 'parcel_lost.noticed'])
      expect(JSON.parse(changed!.previous_attributes!)).toEqual({ status: 'packed', fragile: false })
    })

    it('keeps hidden columns to itself', async () => {
      const { id, ...shown } = await pack('hidden')
      expect(Object.keys(shown).sort()).toEqual(['created_at', 'fragile', 'label', 'object', 'status', 'updated_at'])
      const before = (await events()).length
      await shop.call('POST', `/parcels/${id}/weigh`)
      await shop.call('POST', `/parcels/${id}/weigh`)
      const rows = shop.database.read
        .selectFrom('parcels' as 'tags')
        .selectAll()
        .where('id', '=', id)
      expect(await rows.executeTakeFirst()).toMatchObject({ weighings: 2, route_key: 'hidden' })
      expect((await events()).length).toBe(before)
      expect((await shop.call('PATCH', `/parcels/${id}`, { weighings: 9 })).ignored).toEqual(['weighings'])
    })

    it('shows the state before a change by itself, and notices what no rule remembered', async () => {
      expect(Parcel.events).not.toContain(undeclared)
      const { id } = await pack('before')
      const { changes } = await shop.call('PATCH', `/parcels/${id}`, { label: 'after' })
      expect(changes).toMatchObject([{ type: 'parcel.updated', object: 'parcel', id, previous: { label: 'before' } }])
      expect((await shop.call('POST', `/parcels/${id}/forget`)).status).toBe(500)
      expect(shop.errors.splice(0)).toHaveLength(1)
    })

    it('asks who calls', async () => {
      const { id } = await pack()
      const { accountId } = shop
      const user = { userId: 'user_test', role: 'owner' } as const
      const callers: Record<string, Caller> = {
        job: { kind: 'job', accountId, jobId: 'job_1' },
        buyer: { kind: 'buyer', accountId, checkoutId: 'co_1' },
        provider: { kind: 'provider', accountId, provider: 'stripe' },
        session: { kind: 'session', accountId, sessionId: 's', ...user },
        write: { kind: 'token', accountId, tokenId: 't', right: 'write', ...user },
        propose: { kind: 'token', accountId, tokenId: 't', right: 'propose', ...user },
        read: { kind: 'token', accountId, tokenId: 't', right: 'read', ...user },
      }
      const statuses = async (method: string, path: string, more = {}) => {
        const asked = Object.entries(callers).map(async ([name, caller]) => {
          const { status, body } = await shop.call(method, path, { label: 'x' }, { caller, ...more })
          if (status === 403) expect(body).toMatchObject({ error: { code: 'permission_denied' } })
          return [name, status]
        })
        return Object.fromEntries(await Promise.all(asked))
      }
      const users = { job: 403, buyer: 403, provider: 403, session: 200 }
      expect(await statuses('GET', '/parcels')).toEqual({ ...users, write: 200, propose: 200, read: 200 })
      expect(await statuses('PATCH', `/parcels/${id}`)).toEqual({ ...users, write: 200, propose: 403, read: 403 })
      const proposed = { program: { proposed: true, batch: false } }
      expect(await statuses('PATCH', `/parcels/${id}`, proposed)).toMatchObject({ propose: 200, read: 403 })
      expect(await statuses('POST', '/parcels/track', proposed)).toMatchObject({ write: 400, propose: 403, read: 403 })
      const nobody = { buyer: 403, provider: 403, session: 403, write: 403, propose: 403, read: 403 }
      expect(await statuses('POST', `/parcels/${id}/inspect`)).toEqual({ job: 200, ...nobody })
    })

    it('commits by itself what work outside costs, and refuses it once a program has written', async () => {
      const tracked = async () => (await shop.call('GET', '/parcels', undefined, { query: { limit: 100 } })).body.data
      const before = ((await tracked()) as unknown[]).length
      expect((await shop.call('POST', '/parcels/track', {})).body).toMatchObject({ zone: 'outside', amount: 5 })
      expect((await events()).at(-1)!.type).toBe('parcel.created')
      const { read } = shop.database
      const scope = { read, transaction: shop.database.transaction.bind(shop.database), holdsWrites: true }
      const refused = await shop.call('POST', '/parcels/track', {}, { scope })
      expect(refused.body).toMatchObject({ error: { code: 'invalid_state' } })
      expect((await shop.call('POST', '/parcels/track', {}, { scope: { ...scope, holdsWrites: false } })).status).toBe(
        200,
      )
      expect(((await tracked()) as unknown[]).length).toBe(before + 2)
    })
  })
})
