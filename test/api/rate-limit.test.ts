import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/contract/declarations/caller.ts'
import { PostLimit } from '../../src/pages/parts/form.ts'
import {
  bucketsInDatabase,
  bucketsInMemory,
  spend,
  type TakePermit,
  turnsInDatabase,
  turnsInMemory,
} from '../../src/pipeline/rate-limit.ts'
import { createToken } from '../../src/resources/dashboard/api-token/issue.ts'
import type { Answer } from '../support/app.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'

const SECRET_KEY = 'a secret that only tests know'
const BURST = 5

/** Half a request a second: slow enough that a slow machine refills nothing unseen. */
const SLOW = { SECRET_KEY, RATE_LIMIT_PER_MINUTE: '30', RATE_LIMIT_BURST: String(BURST), TRUST_PROXY: 'true' }

const left = (answer: Answer) => {
  const [, r, t] = /^"default";r=(\d+);t=(\d+)$/.exec(answer.headers.get('ratelimit')!)!
  return { r: Number(r), t: Number(t) }
}

describe('The rate limit', () => {
  onGateEngine((shop) => {
    let fresh: Shop

    beforeEach(async () => {
      const { database, firstAccount } = shop.running.app
      const { value } = await createToken(database, SECRET_KEY, firstAccount!, { name: 'Fresh' })
      fresh = shop.as({ accountId: shop.accountId, token: value })
    })

    it('counts down the requests of a token, then says when to come again', async () => {
      const answers: Answer[] = []
      do answers.push(await fresh.api('GET', '/me'))
      while (answers.at(-1)!.status === 200 && answers.length < 20)
      const refused = answers.at(-1)!
      expect(answers.length).toBeGreaterThan(BURST)
      expect(left(answers[0]!)).toEqual({ r: BURST - 1, t: expect.any(Number) })
      for (const { headers } of answers) expect(headers.get('ratelimit-policy')).toBe('"default";q=30;w=60')
      expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit_exceeded'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(left(refused).t)
      expect(left(refused).r).toBe(0)
      expect([1, 2]).toContain(left(refused).t)
      expect((await fresh.api('GET', '/nowhere')).status).toBe(429)
    })

    it('counts each token alone', async () => {
      for (let count = 0; count < 20; count++) await fresh.api('GET', '/me')
      const { database, firstAccount } = shop.running.app
      const { value } = await createToken(database, SECRET_KEY, firstAccount!, { name: 'Other' })
      expect(left(await shop.api('GET', '/me', undefined, { token: value })).r).toBe(BURST - 1)
    })

    it('lets one in again after the time it said', async () => {
      let refused: Answer
      do refused = await fresh.api('GET', '/me')
      while (refused.status === 200)
      await sleep(Number(refused.headers.get('retry-after')) * 1000)
      expect((await fresh.api('GET', '/me')).status).toBe(200)
    })

    it('spends nothing on a replay’s effect but counts every request', async () => {
      const send = () => fresh.api('POST', '/tags', { name: 'Kept' }, { headers: { 'Idempotency-Key': 'limited' } })
      expect(left(await send()).r).toBeGreaterThan(left(await send()).r)
    })

    describe('of wrong tokens', () => {
      const from = (address: string, token: string | null) =>
        shop.running.api('GET', '/me', undefined, { token, headers: { 'X-Forwarded-For': `1.1.1.1, ${address}` } })
      const guessFrom = async (address: string) => {
        for (let count = 0; count < 60; count++) expect((await from(address, `wrong ${count}`)).status).toBe(401)
      }
      const newToken = async () => {
        const { database, firstAccount } = shop.running.app
        return (await createToken(database, SECRET_KEY, firstAccount!, { name: 'Good' })).value
      }

      it('answers no guess of an address after too many, right or wrong', async () => {
        await guessFrom('10.0.0.1')
        const refused = await from('10.0.0.1', 'wrong')
        expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit_exceeded'])
        expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
        const right = await newToken()
        const guessed = await from('10.0.0.1', right)
        expect([guessed.status, guessed.body]).toEqual([429, refused.body])
        expect(guessed.headers.get('ratelimit')).toBeNull()
        expect((await from('10.0.0.1', null)).status).toBe(429)
        expect((await from('10.0.0.2', right)).status).toBe(200)
        expect((await from('10.0.0.1', right)).status).toBe(429)
      })

      it('leaves tokens alone that were in use at the address before', async () => {
        const used = await newToken()
        expect((await from('10.0.1.1', used)).status).toBe(200)
        await guessFrom('10.0.1.1')
        expect((await from('10.0.1.1', 'wrong')).status).toBe(429)
        expect((await from('10.0.1.1', used)).status).toBe(200)
        expect((await from('10.0.1.1', 'wrong')).status).toBe(429)
      })

      it('answers no more guesses when all are made at once', async () => {
        const right = await newToken()
        const guesses = [...Array.from({ length: 300 }, (_, count) => `wrong ${count}`), right]
        const answers = await Promise.all(guesses.map((guess) => from('10.0.2.1', guess)))
        expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(60)
        expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(240)
      })

      it('does not count requests without a token', async () => {
        for (let count = 0; count < 80; count++) expect((await from('10.0.3.1', null)).status).toBe(401)
        expect((await from('10.0.3.1', await newToken())).status).toBe(200)
      })

      it('counts all addresses of one IPv6 network together', async () => {
        for (let count = 0; count < 60; count++)
          expect((await from(`2001:db8:0:7::${count + 1}`, `wrong ${count}`)).status).toBe(401)
        expect((await from('2001:0DB8:0:7:aaaa:bbbb:cccc:dddd', 'wrong')).status).toBe(429)
        expect((await from('2001:db8:0:8::1', 'wrong')).status).toBe(401)
      })
    })

    it('refills at its pace, never above its burst, wherever its buckets are', async () => {
      const caller: Caller = { kind: 'job', accountId: shop.accountId, jobId: 'job_of_a_test' }
      const policy = { name: 'test', perMinute: 60, burst: 3 }
      let now = 1_000_000
      const { database } = shop.running.app
      const take: TakePermit =
        database.engine === 'postgres' ? bucketsInDatabase(database, () => now) : bucketsInMemory(() => now)
      const allowed = async () => (await spend(take, caller, policy)).allowed
      expect([await allowed(), await allowed(), await allowed(), await allowed()]).toEqual([true, true, true, false])
      now += 999
      expect(await allowed()).toBe(false)
      now += 1
      expect([await allowed(), await allowed()]).toEqual([true, false])
      now += 3_600_000
      expect([await allowed(), await allowed(), await allowed(), await allowed()]).toEqual([true, true, true, false])
      now -= 5000
      expect(await allowed()).toBe(false)
    })

    it('forgets the budget that nobody has used in the longest time, and none that is used up now', async () => {
      const policy = { name: 'many', perMinute: 1, burst: 1 }
      const turn = turnsInMemory(() => 3_000_000)
      for (let count = 0; count < 100_010; count++) {
        await turn(`client ${count}`, policy)
        if (count % 1_000 === 0) await turn('victim', policy)
      }
      expect(await turn('victim', policy)).toBeGreaterThan(0)
      expect(await turn('client 1', policy)).toBe(0)
    })

    it('keeps no budget of every path that a refused client thinks of', async () => {
      const { database } = shop.running.app
      const inMemory = turnsInMemory()
      const asked = new Set<string>()
      const takeTurn = database.engine === 'postgres' ? turnsInDatabase(database) : inMemory
      const counted: typeof takeTurn = (who, policy) => {
        asked.add(who)
        return takeTurn(who, policy)
      }
      const posts = new PostLimit('forms of a test', { takeTurn: counted }, { ofClient: 2 })
      const waits: number[] = []
      for (let path = 0; path < 6; path++) waits.push(await posts.waitSeconds('192.0.2.7', `/forms/${path}`))
      expect(waits.map((wait) => wait > 0)).toEqual([false, false, true, true, true, true])
      expect([...asked]).toEqual(['client 192.0.2.7', 'about /forms/0', 'about /forms/1'])
    })

    it('takes tenths of a permit exactly, wherever its buckets are', async () => {
      const caller: Caller = { kind: 'job', accountId: shop.accountId, jobId: 'job_of_tenths' }
      const policy = { name: 'tenths', perMinute: 60, burst: 3 }
      let now = 1_000_000
      const { database } = shop.running.app
      const take: TakePermit =
        database.engine === 'postgres' ? bucketsInDatabase(database, () => now) : bucketsInMemory(() => now)
      const tenth = () => spend(take, caller, policy, 0.1)
      const told = ({ allowed, headers }: Awaited<ReturnType<typeof tenth>>) => [allowed, headers.RateLimit]
      expect(told(await spend(take, caller, policy))).toEqual([true, '"tenths";r=2;t=1'])
      for (let count = 0; count < 19; count++) expect((await tenth()).allowed).toBe(true)
      expect(told(await tenth())).toEqual([true, '"tenths";r=0;t=1'])
      expect(await tenth()).toMatchObject({ allowed: false, secondsUntilFull: 3, headers: { 'Retry-After': '1' } })
      now += 100
      expect([(await tenth()).allowed, (await tenth()).allowed]).toEqual([true, false])
    })

    it('bounds clients without a token together, however many processes they ask', async () => {
      const policy = { name: 'tries', perMinute: 60, burst: 3 }
      let now = 2_000_000
      const { database } = shop.running.app
      const make = () => turnsInDatabase(database, () => now)
      const [one, other] = database.engine === 'postgres' ? [make(), make()] : Array(2).fill(turnsInMemory(() => now))
      expect([await one('a', policy), await other('a', policy), await one('a', policy)]).toEqual([0, 0, 0])
      expect([await other('a', policy), await one('a', policy)]).toEqual([1, 1])
      expect(await other('b', policy)).toBe(0)
      expect(await other('a', { ...policy, name: 'others' })).toBe(0)
      now += 1000
      expect([await other('a', policy), await one('a', policy)]).toEqual([0, 1])
    })
  }, SLOW)
})
