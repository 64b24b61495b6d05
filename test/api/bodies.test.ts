import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputName } from '../../src/contract/declarations/noun.ts'
import { jsonTypeOf } from '../../src/contract/values/json.ts'
import type { Answer } from '../support/app.ts'
import { times } from '../support/depth.ts'
import { onEachEngine, onGateEngine } from '../support/shop.ts'
import { type AnyOperation, bodiesOf, turns } from './every-body.ts'

const OF_EACH_TYPE = ['text', 7, true, ['text'], { key: 'text' }]
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '__proto__',
  "'; drop table products;--",
  '%',
  '\u202e',
  '😀'.repeat(60),
  'a'.repeat(20_000),
]
/** None of their fields is required, but one of some is. */
const WANTS_ONE_OF = ['create_checkout', 'create_file', 'create_ai_site', 'send_email']
/** No operation shows one of them by its id. */
const UNSEEN = ['account', 'email']
/** What the create alone shows, because whoever has it may do something. */
const SHOWN_ONCE: Record<string, object> = {
  webhook_endpoint: { secret: null },
  file: { upload_url: null, upload_headers: null },
}
/** What a job may change between the answer and the look at what is stored. */
const GOES_ON: Record<string, object> = {
  ai_site: {
    build_status: expect.any(String),
    is_live: expect.any(Boolean),
    app_url: expect.toBeOneOf([null, expect.any(String)]),
  },
}
/** What null stands for in fields that then have a value of their own, in the state of the stock. */
const NULL_BECOMES: Record<string, string> = { 'update_x402_configuration x402_chain': 'base' }
const HOSTILE_NUMBERS = [-1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e-9]

describe('Every body', () => {
  onEachEngine((shop) => {
    const { writes, send, working, renew, eachField, ids } = bodiesOf(shop)

    it('works as its documented example', async () => {
      for (const operation of writes()) {
        await renew(operation)
        const answer = await send(operation as never, working(operation as never))
        expect([operation.id, answer.status, answer.text]).toEqual([operation.id, operation.status, answer.text])
      }
    })

    it('may be absent where nothing is required', async () => {
      for (const operation of writes()) {
        await renew(operation)
        const required =
          WANTS_ONE_OF.includes(operation.id) ||
          Object.values(operation.body ?? {}).some((field) => field.spec.required)
        const answer = await send(operation as never, undefined)
        if (operation.bodyMode === 'create' && required) expect(answer.body.error.code).toBe('parameter_missing')
        else expect([operation.id, answer.status]).toEqual([operation.id, 200])
      }
    })

    it('has a bad reference named by its place in the array', async () => {
      const missing = (id: string) => `${id.split('_')[0]}_01k9z6v8q2f3x7c5m1n4b0r8ta`
      let arrays = 0
      await eachField(async (operation, input, { spec }) => {
        if (spec.relation?.kind !== 'many') return
        arrays++
        const good = ids()[spec.relation.noun]!
        const { status, body } = await send(operation, { ...working(operation), [input]: [good, good, missing(good)] })
        expect([operation.id, status, body.error.param]).toEqual([operation.id, 404, `${input}.2`])
      })
      expect(arrays).toBeGreaterThan(5)
    })

    it('clears what may be null and nothing else', async () => {
      for (const operation of writes().filter((one) => one.kind === 'update')) {
        for (const [name, field] of Object.entries(operation.body!)) {
          const input = inputName(name, field)
          const { status, body } = await send(operation as never, { [input]: null })
          const cleared = NULL_BECOMES[`${operation.id} ${input}`] ?? null
          if (status === 200) expect([operation.id, input, body[name]]).toEqual([operation.id, input, cleared])
          else
            expect([operation.id, status, body.error.errors]).toEqual([
              operation.id,
              422,
              { [input]: ["can't be blank"] },
            ])
          if (!field.spec.nullable) expect([operation.id, input, status]).toEqual([operation.id, input, 422])
        }
      }
    })

    it('may be wrapped in the name of its resource', async () => {
      for (const operation of writes().filter((one) => one.body)) {
        await renew(operation)
        const answer = await send(operation as never, { [operation.noun.name]: working(operation as never) })
        expect([operation.id, answer.status < 300]).toEqual([operation.id, true])
      }
    })

    it('may name unknown and read-only fields, which change nothing', async () => {
      for (const operation of writes().filter((one) => one.body)) {
        const readOnly = Object.keys(operation.noun.fields).filter(
          (name) => !(name in operation.body!) && name !== 'status',
        )
        const extra = Object.fromEntries(
          ['unknown', 'account_id', 'sold_count', ...readOnly].map((name) => [name, 'x']),
        )
        await renew(operation)
        const plain = await send(operation as never, working(operation as never))
        await renew(operation)
        const answer = await send(operation as never, { ...extra, ...working(operation as never) })
        expect([operation.id, answer.status]).toEqual([operation.id, plain.status])
        const taken = readOnly.filter((name) => answer.body[name] === 'x')
        expect([operation.id, taken]).toEqual([operation.id, []])
      }
    })

    it('may hold anything without harm', async () => {
      for (const operation of writes().filter((one) => one.body)) {
        const names = Object.entries(operation.body!).map(([name, field]) => inputName(name, field))
        const anything = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...names), fc.jsonValue()))
        const unharmed = fc.asyncProperty(anything, async (body) => {
          const { status } = await send(operation as never, body === null ? 'null' : body)
          expect(status).toBeLessThan(500)
        })
        await fc.assert(unharmed, { numRuns: times({ gate: 6, deep: 25 }) })
      }
    })

    it('is shown as it was stored, or refused, whatever its texts and numbers', async () => {
      const isAsAnswered = async ({ status, body }: Answer, { noun }: AnyOperation) => {
        expect(status).toBeLessThan(500)
        if (status >= 300 || UNSEEN.includes(noun.name) || noun.prefix === null) return
        const stored = await shop.get(`/${noun.plural}/${body.id}`)
        expect(stored).toEqual({ ...body, ...SHOWN_ONCE[noun.name], ...GOES_ON[noun.name] })
      }
      await eachField(async (operation, input, { spec }) => {
        const values: unknown[] =
          { string: HOSTILE_TEXTS, integer: HOSTILE_NUMBERS, number: HOSTILE_NUMBERS }[spec.type as string] ?? []
        const inArrays =
          spec.type === 'array'
            ? [...HOSTILE_TEXTS.map((text) => [text]), [[]], [null], [{}], Array(1000).fill('x')]
            : []
        const inObjects =
          spec.type === 'object' ? HOSTILE_TEXTS.flatMap((text) => [{ [text]: 'x' }, { key: text }]) : []
        for (const value of turns([...values, ...inArrays, ...inObjects, null])) {
          const body = { ...working(operation), [input]: value }
          await isAsAnswered(await send(operation, body), operation)
        }
      })
    })
  })
})

describe('Every body, before the database is asked,', () => {
  onGateEngine((shop) => {
    const { writes, send, working, eachField } = bodiesOf(shop)

    it('is a JSON object that is not nested too deep', async () => {
      for (const operation of writes().filter((one) => one.body)) {
        const wrong = ['{', 'text', '[]', '"text"', '5', 'null', 'true', '{"a":1}x', Buffer.from([123, 255, 125])]
        for (const raw of wrong) {
          const answer = await send(operation as never, undefined, raw)
          expect([operation.id, raw, answer.status, answer.body.error.code]).toEqual([
            operation.id,
            raw,
            400,
            'invalid_json',
          ])
        }
        const deep = `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
        expect((await send(operation as never, undefined, deep)).body.error.code).toBe('invalid_json')
      }
    })

    it('is at most a megabyte', async () => {
      for (const operation of writes()) {
        const answer = await send(operation as never, { name: 'a'.repeat(1_000_001) })
        expect([operation.id, answer.status, answer.body.error.code]).toEqual([operation.id, 413, 'request_too_large'])
      }
    })

    it('is at most a megabyte even when it does not say how long it is', async () => {
      const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) })
      const headers = { Authorization: `Bearer ${shop.running.token}` }
      const request = { method: 'POST', headers, body: endless, duplex: 'half' } as RequestInit
      const answer = await fetch(`${shop.running.url}/v1/products`, request)
      expect([answer.status, ((await answer.json()) as Answer['body']).error.code]).toEqual([413, 'request_too_large'])
    })

    it('has values of the declared JSON types', async () => {
      await eachField(async (operation, input, { spec }) => {
        const types = spec.type === 'number' ? ['number', 'integer'] : [spec.type]
        for (const value of OF_EACH_TYPE.filter((one) => !types.includes(jsonTypeOf(one) as never))) {
          const answer = await send(operation, { ...working(operation), [input]: value })
          const expected = spec.lenientType ? [422, undefined] : [400, input]
          expect([operation.id, input, value, answer.status, answer.body.error?.param]).toEqual([
            operation.id,
            input,
            value,
            ...expected,
          ])
          if (spec.lenientType) expect(answer.body.error.errors).toHaveProperty(input)
          else expect(answer.body.error.code).toBe('parameter_invalid')
        }
      })
    })

    it('is refused in our own words, whatever is of the wrong JSON type and however deep', async () => {
      const wrongTypes = [
        7,
        1.5,
        true,
        'text',
        [],
        {},
        [7],
        [null],
        [['text']],
        [{}],
        { key: 7 },
        { key: null },
        { key: [] },
      ]
      const foreign = /invalid input|expected|, received|invalid key|invalid element|too (small|big)/i
      await eachField(async (operation, input) => {
        for (const value of turns(wrongTypes)) {
          const { status, body } = await send(operation, { ...working(operation), [input]: value })
          if (status < 300) continue
          const { message, errors = {} } = body.error
          for (const text of [message, ...Object.values<string[]>(errors).flat()]) {
            expect([operation.id, input, value, text]).not.toEqual([
              operation.id,
              input,
              value,
              expect.stringMatching(foreign),
            ])
          }
        }
      })
    })

    it('has its wrong JSON types reported together, and with all else that is wrong', async () => {
      const wrong = { name: 5, status: [], media: 'x' }
      const { status, body } = await shop.api('POST', '/products', wrong)
      expect([status, body.error.code, body.error.param]).toEqual([400, 'parameter_invalid', 'name'])
      expect(body.error.message).toBe('name must be a string, not an integer (5)')
      expect(Object.keys(body.error.errors).sort()).toEqual(['media', 'name', 'status'])
      const both = await shop.api('POST', '/products', { ...wrong, seo_title: 'a'.repeat(61) })
      expect([both.status, both.body.error.code]).toEqual([422, 'validation_failed'])
      expect(Object.keys(both.body.error.errors).sort()).toEqual(['media', 'name', 'seo_title', 'status'])
    })

    it('reports the first required field that is missing, or all that is wrong', async () => {
      for (const operation of writes().filter((one) => one.bodyMode === 'create')) {
        const required = Object.entries(operation.body ?? {}).filter(([, field]) => field.spec.required)
        for (const [name, field] of required) {
          const input = inputName(name, field)
          for (const absent of [null, undefined]) {
            const { status, body } = await send(operation as never, { ...working(operation as never), [input]: absent })
            expect([operation.id, status, body.error.code, body.error.param]).toEqual([
              operation.id,
              400,
              'parameter_missing',
              input,
            ])
          }
        }
      }
    })
  })
})
