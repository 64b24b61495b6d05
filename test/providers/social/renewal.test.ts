import { beforeEach, describe, expect, it } from 'vitest'
import { type Body, onEachEngine } from '../../support/shop.ts'
import { Network } from './network.ts'

describe('Access that ends', () => {
  onEachEngine(
    (shop) => {
      let network: Network
      let made = 0
      beforeEach(() => {
        network = new Network()
        shop.running.app.services.social = network.only
      })

      /** A connected account whose access is to be renewed at its next use. */
      const connected = async (): Promise<Body> => {
        network.lastsMs = -1000
        const credentials = { username: `user.${++made}`, access_token: 'access 0', refresh_token: 'refresh 0' }
        const one = await shop.post('/social_accounts', { platform: 'x', credentials })
        expect(one).toMatchObject({ status: 'connected' })
        network.lastsMs = 60_000
        return one
      }
      const publish = async (...accounts: Body[]): Promise<Body[]> => {
        const posts: Body[] = []
        for (const { id } of accounts)
          posts.push(await shop.post('/social_posts', { content: 'Hello', social_accounts: [id], publish_now: true }))
        await shop.settled()
        return Promise.all(posts.map(({ id }) => shop.get(`/social_posts/${id}`)))
      }
      const hurry = () =>
        shop.running.app.database.transaction(({ db }) =>
          db
            .updateTable('jobs')
            .set({ run_at: '2026-01-01T00:00:00.000Z' })
            .where('state', '=', 'waiting')
            .where('lane', '=', 'outside')
            .execute(),
        )

      it('is renewed before it is used, and the new one is kept', async () => {
        const one = await connected()
        expect((await publish(one))[0].status).toBe('published')
        expect([network.renewals, network.round]).toEqual([1, 1])
        expect((await publish(one))[0].status).toBe('published')
        expect(network.renewals).toBe(1)
      })

      it('is renewed by one job at a time, and the others wait for it', async () => {
        const one = await connected()
        const opened = Promise.withResolvers<void>()
        network.beforeRenewal = opened.promise
        const posts = [1, 2].map((number) =>
          shop.post('/social_posts', { content: `Post ${number}`, social_accounts: [one.id], publish_now: true }),
        )
        await expect.poll(() => network.renewals).toBe(1)
        const waiting = () =>
          shop.db
            .selectFrom('jobs')
            .select(['attempts', 'last_error'])
            .where('state', '=', 'waiting')
            .where('lane', '=', 'outside')
            .execute()
        await expect.poll(waiting).toEqual([{ attempts: 0, last_error: expect.stringContaining('Another job') }])
        opened.resolve()
        await Promise.all(posts)
        await expect
          .poll(
            async () => {
              await hurry()
              return network.posted.length
            },
            { timeout: 10_000 },
          )
          .toBe(2)
        expect(network.renewals).toBe(1)
      })

      it('expires in the words of the network when that renews it no more, and the post can be retried', async () => {
        const one = await connected()
        network.refusesRenewal = true
        const [post] = await publish(one)
        expect(post.status).toBe('failed')
        expect(await shop.get(`/social_accounts/${one.id}`)).toMatchObject({
          status: 'expired',
          error_message: 'The refresh token was used before.',
        })
        const { data } = await shop.get(`/social_posts/${post.id}/targets`)
        expect(data[0].error_message).toBe('The refresh token was used before.')
      })

      it('is not written over by a renewal that is slower than a person who allows access again', async () => {
        const one = await connected()
        const opened = Promise.withResolvers<void>()
        network.beforeRenewal = opened.promise
        const post = shop.post('/social_posts', { content: 'Slow', social_accounts: [one.id], publish_now: true })
        await expect.poll(() => network.renewals).toBe(1)
        await shop.post(`/social_accounts/${one.id}/reconnect`, { credentials: { key: 'better' } })
        opened.resolve()
        await post
        await shop.settled()
        await shop.post(`/social_accounts/${one.id}/sync`)
        expect(await shop.get(`/social_accounts/${one.id}`)).toMatchObject({
          status: 'connected',
          username: one.username,
        })
      })

      it('waits as long as the network says when that limits the rate, without losing an attempt', async () => {
        network.round = 0
        const credentials = { key: 'k', username: `user.${++made}` }
        const one = await shop.post('/social_accounts', { platform: 'x', credentials })
        network.busyUntil = Date.now() + 3_600_000
        const [post] = await publish(one)
        expect(post.status).toBe('publishing')
        const find = () =>
          shop.db.selectFrom('jobs').selectAll().where('state', '=', 'waiting').where('lane', '=', 'outside').execute()
        const [job] = await find()
        expect(job).toMatchObject({ attempts: 0, last_error: 'Too many posts.' })
        expect(Math.abs(Date.parse(job!.run_at) - network.busyUntil)).toBeLessThan(5_000)
        network.busyUntil = 0
        await hurry()
        await expect.poll(async () => (await shop.get(`/social_posts/${post.id}`)).status).toBe('published')
        expect(network.posted).toHaveLength(1)
      })
    },
    { SIMULATED_PROVIDERS: 'false' },
  )
})
