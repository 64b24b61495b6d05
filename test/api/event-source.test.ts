import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { type Body, onGateEngine } from '../support/shop.ts'

const WEBHOOK = { provider: 'webhook', event_type: 'received' }
const SCHEDULE = { provider: 'schedule', event_type: 'due', config: { cron_expression: '0 9 * * 1' } }
const RSS = { provider: 'rss', event_type: 'new_item' }
const SECRET = 'a secret of our own'

describe('An event source', () => {
  onGateEngine((shop) => {
    const create = (values: object): Promise<Body> => shop.post('/event_sources', values)
    const refused = (values: object) => shop.refusal('POST', '/event_sources', values)

    it('is connected with an address that nobody can guess', async () => {
      const source = await create({ ...WEBHOOK, name: 'Old shop' })
      expect(source).toMatchObject({
        ...{ object: 'event_source', ...WEBHOOK, name: 'Old shop', config: { secret: null }, status: 'active' },
        ...{ last_event_at: null, error_message: null },
      })
      expect(source.ingest_url).toMatch(new RegExp(`^${shop.running.url}/ingest/${source.id}/[\\w-]{43}$`))
      expect(await shop.get(`/event_sources/${source.id}`)).toEqual(source)
      expect((await create(WEBHOOK)).ingest_url.split('/').at(-1)).not.toBe(source.ingest_url.split('/').at(-1))
    })

    it('never shows its secrets, and keeps them sealed', async () => {
      const { id, config } = await create({ ...WEBHOOK, config: { secret: SECRET } })
      expect(config).toEqual({ secret: null })
      const row = await shop.db.selectFrom('event_sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      expect(JSON.stringify(row)).not.toContain(SECRET)
      expect(row.sealed_secrets).not.toBeNull()
    })

    it('leaves neither its address nor its secrets in events', async () => {
      const events = await shop.eventsOf(async () => {
        const { id } = await create({ ...WEBHOOK, config: { secret: SECRET } })
        await shop.delete(`/event_sources/${id}`)
      })
      expect(events.map(({ type }) => type)).toEqual(['event_source.created', 'event_source.deleted'])
      expect(events[0]!.data).not.toHaveProperty('ingest_url')
      expect(JSON.stringify(events)).not.toContain(SECRET)
    })

    it('has a provider and an event type that there are', async () => {
      expect(await refused({ ...WEBHOOK, provider: 'webhok' })).toEqual({
        provider: [
          'is not a provider (did you mean "webhook"?); use rss or schedule or webhook (see GET /event_sources/discover)',
        ],
      })
      expect(await refused({ ...WEBHOOK, event_type: 'new_item' })).toEqual({
        event_type: ['is not an event type of webhook; use received (see GET /event_sources/discover)'],
      })
      expect(await refused({ provider: 'webhook' })).toEqual([400, 'parameter_missing', 'event_type'])
    })

    it('is configured by the schema of its provider, field by field', async () => {
      const config = (provider: object, config: object) => refused({ ...provider, config })
      expect(await config(RSS, {})).toEqual({ 'config.url': ["can't be blank"] })
      const wrong = { url: 5, interval_minutes: 4, interval: 5 }
      expect(Object.keys(await config(RSS, wrong)).sort()).toEqual([
        'config.interval',
        'config.interval_minutes',
        'config.url',
      ])
      for (const url of [
        'http://10.0.0.1/feed',
        'http://169.254.169.254/',
        'http://[fd00::1]/',
        'http://localhost:25/feed',
      ])
        expect(Object.keys(await config(RSS, { url }))).toEqual(['config.url'])
      expect(Object.keys(await config(WEBHOOK, { secret: 'short' }))).toEqual(['config.secret'])
      for (const cron_expression of ['61 * * * *', '* * *', '0 0 30 2 *', ''])
        expect(Object.keys(await config(SCHEDULE, { cron_expression }))).toEqual(['config.cron_expression'])
      const nowhere = { cron_expression: '0 9 * * *', timezone: 'Mars/Base' }
      expect(Object.keys(await config(SCHEDULE, nowhere))).toEqual(['config.timezone'])
    })

    it('has defaults for what its configuration leaves out', async () => {
      const { config, ingest_url } = await create(SCHEDULE)
      expect({ config, ingest_url }).toEqual({
        config: { cron_expression: '0 9 * * 1', timezone: 'UTC' },
        ingest_url: null,
      })
      expect((await create({ ...WEBHOOK, config: null })).config).toEqual({ secret: null })
    })

    it('is found by provider and status', async () => {
      const [hook, timed] = [await create(WEBHOOK), await create(SCHEDULE)]
      expect(await shop.listed('/event_sources?provider=schedule')).toContain(timed.id)
      expect(await shop.listed('/event_sources?provider=schedule')).not.toContain(hook.id)
      await shop.set('event_sources', hook.id, { status: 'error' })
      expect(await shop.listed('/event_sources?status=error')).toEqual([hook.id])
      expect(await shop.refusal('GET', '/event_sources?status=odd')).toEqual([400, 'parameter_invalid', 'status'])
    })

    it('is deleted with its poll or next time, and its address', async () => {
      const { id } = await create(SCHEDULE)
      const jobs = () => shop.db.selectFrom('jobs').select('payload').where('payload', 'like', `%${id}%`).execute()
      expect(await jobs()).toHaveLength(1)
      await shop.delete(`/event_sources/${id}`)
      expect(await jobs()).toEqual([])
      expect(await shop.refusal('GET', `/event_sources/${id}`)).toEqual([404, 'resource_missing'])
    })

    it('has providers that can be discovered, with schemas that hold', async () => {
      const { data, has_more } = await shop.get('/event_sources/discover')
      expect([data.map(({ provider }: Body) => provider), has_more]).toEqual([['rss', 'schedule', 'webhook'], false])
      const ajv = new Ajv2020({ strict: false, validateFormats: false })
      const schemas = Object.fromEntries(data.map((one: Body) => [one.provider, ajv.compile(one.config_schema)]))
      expect(schemas.schedule!(SCHEDULE.config)).toBe(true)
      expect(schemas.schedule!({ ...SCHEDULE.config, more: 1 })).toBe(false)
      expect(schemas.webhook!({ secret: SECRET }) && schemas.webhook!({ secret: null })).toBe(true)
      expect(schemas.rss!({ url: 'https://blog.example/feed', interval_minutes: 5 })).toBe(true)
      expect(schemas.rss!({ interval_minutes: 5 })).toBe(false)
    })

    it('is discovered by provider or by words', async () => {
      const found = async (query: string) =>
        (await shop.get(`/event_sources/discover?${query}`)).data.map((one: Body) => one.provider)
      expect(await found('provider=rss')).toEqual(['rss'])
      expect(await found('query=new+feed')).toEqual(['rss'])
      expect(await found('query=CRON')).toEqual(['schedule'])
      expect(await found('query=stripe')).toEqual([])
      expect(await found('provider=rss&query=cron')).toEqual([])
      expect(await shop.refusal('GET', '/event_sources/discover?provider=rs')).toEqual([
        400,
        'parameter_invalid',
        'provider',
      ])
    })

    it('is one of 100 at most', async () => {
      const another = shop.as(await shop.running.another('many-sources'))
      const one = await another.post('/event_sources', WEBHOOK)
      const rows = shop.db.selectFrom('event_sources').selectAll().where('id', '=', one.id)
      const { id: _, ...row } = await rows.executeTakeFirstOrThrow()
      for (let count = 1; count < 100; count++) await another.insert('event_sources', 'evsrc', row)
      expect(await another.refusal('POST', '/event_sources', WEBHOOK)).toHaveProperty('base')
    })
  })
})
