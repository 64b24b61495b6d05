import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Body, onGateEngine } from '../support/shop.ts'

const SECRET = 'a secret of our own'

describe('The address of an event source', () => {
  onGateEngine(
    (shop) => {
      const connect = (config = {}): Promise<Body> =>
        shop.post('/event_sources', { provider: 'webhook', event_type: 'received', config })
      let client = 0
      /** Every request from a client of its own, so that wrong ones are not counted together. */
      const send = async (url: string, body: RequestInit['body'], headers: Record<string, string> = {}) => {
        const from = { 'X-Forwarded-For': `10.1.${client >> 8}.${client++ & 255}` }
        const answer = await fetch(url, {
          method: 'POST',
          body,
          headers: { ...from, 'Content-Type': 'application/json', ...headers },
          duplex: 'half',
        } as RequestInit)
        return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body }
      }
      const lastEvent = async (id: string) => (await shop.get(`/event_sources/${id}`)).last_event_at

      it('takes JSON of any kind and answers at once', async () => {
        const { id, ingest_url } = await connect()
        expect(await lastEvent(id)).toBeNull()
        for (const value of [{ order: 1 }, [1], 'text', 5, null]) {
          const { status, body } = await send(ingest_url, JSON.stringify(value))
          expect([status, body]).toEqual([202, { received: true }])
        }
        expect(await lastEvent(id)).not.toBeNull()
      })

      it('says the same of every address that is none', async () => {
        const { id, ingest_url } = await connect()
        const gone = await connect()
        await shop.delete(`/event_sources/${gone.id}`)
        const unpushed = await connect()
        await shop.set('event_sources', unpushed.id, { provider: 'schedule' })
        const capability = ingest_url.split('/').at(-1)
        const base = `${shop.running.url}/ingest`
        const wrong = [
          `${base}/${id}/${capability.slice(0, -1)}`,
          `${base}/${id}/${'a'.repeat(43)}`,
          `${base}/evsrc_01k9z6v8q2f3x7c5m1n4b0r8ta/${capability}`,
          `${base}/nonsense/${capability}`,
          unpushed.ingest_url,
          gone.ingest_url,
        ]
        const answers = await Promise.all(wrong.map((url) => send(url, '{}')))
        expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 404))
        expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
        expect(await lastEvent(id)).toBeNull()
      })

      it('takes nothing but JSON of a bounded size', async () => {
        const { id, ingest_url } = await connect()
        const refusal = async (body: RequestInit['body'], headers = {}) => {
          const answer = await send(ingest_url, body, headers)
          return [answer.status, answer.body.error.code]
        }
        expect(await refusal('')).toEqual([400, 'invalid_json'])
        expect(await refusal('{')).toEqual([400, 'invalid_json'])
        expect(await refusal('['.repeat(100_000))).toEqual([400, 'invalid_json'])
        expect(await refusal('a=b', { 'Content-Type': 'application/x-www-form-urlencoded' })).toEqual([
          415,
          'unsupported_media_type',
        ])
        const tooLong = JSON.stringify('a'.repeat(256 * 1024))
        expect(await refusal(tooLong)).toEqual([413, 'request_too_large'])
        const unannounced = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(65_536, ' ')) })
        expect(await refusal(unannounced)).toEqual([413, 'request_too_large'])
        expect(await lastEvent(id)).toBeNull()
        expect((await send(ingest_url, `${tooLong.slice(0, 200_000)}"`)).status).toBe(202)
      })

      it('is posted to', async () => {
        const { ingest_url } = await connect()
        for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
          const answer = await fetch(ingest_url, { method })
          expect([method, answer.status, answer.headers.get('allow')]).toEqual([
            method,
            405,
            expect.stringMatching('POST'),
          ])
        }
      })

      it('takes signed requests alone where there is a secret', async () => {
        const { id, ingest_url } = await connect({ secret: SECRET })
        const sign = (body: string, secret = SECRET) => ({
          'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
        })
        for (const headers of [{}, sign('{}', 'another secret'), sign('{"a":1}')]) {
          const { status, body } = await send(ingest_url, '{}', headers)
          expect([status, body.error.code]).toEqual([401, 'authentication_required'])
        }
        expect(await lastEvent(id)).toBeNull()
        expect((await send(ingest_url, '{}', sign('{}'))).status).toBe(202)
        expect(await lastEvent(id)).not.toBeNull()
      })

      it('takes sixty events a minute, whoever sends them', async () => {
        const [busy, other] = [await connect(), await connect()]
        let taken = 0
        let last = await send(busy.ingest_url, '{}')
        for (; last.status === 202; last = await send(busy.ingest_url, '{}')) taken++
        expect(taken).toBeGreaterThanOrEqual(60)
        expect(last.status).toBe(429)
        expect(last.body.error.code).toBe('rate_limit_exceeded')
        expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
        expect((await send(other.ingest_url, '{}')).status).toBe(202)
      })

      it('stops a client that guesses', async () => {
        const { id, ingest_url } = await connect()
        const guess = (url: string) => send(url, '{}', { 'X-Forwarded-For': '10.9.9.9' })
        const guesses = Array.from({ length: 60 }, (_, n) => `${shop.running.url}/ingest/${id}/${n}`)
        for (const url of guesses) expect((await guess(url)).status).toBe(404)
        expect((await guess(`${shop.running.url}/ingest/${id}/last`)).status).toBe(429)
        expect((await guess(ingest_url)).status).toBe(429)
        expect((await send(ingest_url, '{}')).status).toBe(202)
      })
    },
    { TRUST_PROXY: 'true' },
  )
})
