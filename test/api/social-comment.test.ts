import { beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../support/person.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { connected } from '../support/social.ts'

type Action = 'delete' | 'reply' | 'hide' | 'unhide' | 'like' | 'unlike'

/** What a customer's visible comment on each platform allows, written by hand after the list of platforms. */
const ALLOWED: Record<string, Action[]> = {
  x: ['hide', 'like', 'reply'],
  instagram: ['delete', 'hide', 'reply'],
  facebook: ['delete', 'hide', 'like', 'reply'],
  linkedin: ['delete', 'like', 'reply'],
  tiktok: [],
  youtube: ['delete', 'hide', 'reply'],
  threads: ['hide', 'reply'],
  pinterest: [],
  bluesky: ['hide', 'like', 'reply'],
  mastodon: ['like', 'reply'],
}
const ACTIONS: Action[] = ['delete', 'hide', 'like', 'reply', 'unhide', 'unlike']

describe('A social comment', () => {
  onGateEngine((shop) => {
    let account: Body
    let post: Body
    beforeAll(async () => {
      account = await connected(shop)
      post = await shop.post('/social_posts', { social_accounts: [account.id], content: 'Out now', publish_now: true })
    })

    const sync = (id = account.id) => shop.post(`/social_accounts/${id}/sync`)
    const act = (id: string, action: string, body: object = {}) => shop.post(`/social_comments/${id}/${action}`, body)

    /** A comment of a customer, as a platform would send it. */
    async function received(values: object = {}, on: Body = account): Promise<Body> {
      const id = await shop.insert('social_comments', 'scom', {
        ...{ social_account: on.id, platform: on.platform, social_post: null, parent: null, author_name: 'Mara Lind' },
        ...{ author_username: null, content: 'Nice!', status: 'visible', liked: 0, likes_count: 2, replies_count: 0 },
        ...{ from_account: 0, platform_comment_id: `${on.platform}-${Math.random()}`, ...values },
      })
      return shop.get(`/social_comments/${id}`)
    }

    it('is read from the platform once, with its post and its author', async () => {
      const events = await shop.eventsOf(() => sync())
      const [created] = events.filter(({ type }) => type === 'social_comment.created')
      const comment = await shop.get(`/social_comments/${created!.data.id}?expand=social_post,social_account`)
      expect(comment).toMatchObject({
        ...{ platform: 'x', status: 'visible', liked: false, from_account: false, parent: null },
        ...{ social_post: { id: post.id }, social_account: { id: account.id } },
      })
      expect(comment.author_name.length).toBeGreaterThan(3)
      const again = await shop.eventsOf(() => sync())
      expect(again.filter(({ type }) => type.startsWith('social_comment.'))).toEqual([])
      expect(await shop.listed(`/social_comments?social_post=${post.id}`)).toContain(comment.id)
    })

    it('stays away once it was deleted, although the platform still has it', async () => {
      const on = await connected(shop, { platform: 'facebook' })
      await shop.post('/social_posts', { social_accounts: [on.id], content: 'Out now', publish_now: true })
      await sync(on.id)
      const before = await shop.listed(`/social_comments?social_account=${on.id}`)
      expect(before).not.toEqual([])
      for (const id of before) await shop.delete(`/social_comments/${id}`)
      await shop.settled()
      await sync(on.id)
      expect(await shop.listed(`/social_comments?social_account=${on.id}`)).toEqual([])
    })

    it('stays where its platform cannot delete it, and is back where the platform refuses', async () => {
      const { id } = await received()
      const refused = await shop.api('DELETE', `/social_comments/${id}`)
      const message = 'X does not let apps delete comments by others. Hide it instead.'
      expect([refused.status, refused.body.error]).toMatchObject([400, { code: 'invalid_state', message }])
      expect((await shop.get(`/social_comments/${id}`)).id).toBe(id)
      const page = (await (await signIn(shop.running)).get(`/dashboard/my-shop/social_comments/${id}`)).html
      expect([page.includes(`${id}/reply`), page.includes(`${id}/delete`)]).toEqual([true, false])
      const own = await act(id, 'reply', { content: 'Thank you!' })
      expect(await shop.delete(`/social_comments/${own.id}`)).toMatchObject({ deleted: true })
      const on = await connected(shop, { platform: 'facebook', token: 'refuses' })
      await shop.delete(`/social_comments/${(await received({}, on)).id}`)
      await shop.settled()
      const kept = shop.db.selectFrom('social_comment_deletions').selectAll().where('social_account', '=', on.id)
      expect(await kept.execute()).toEqual([])
      expect((await shop.get(`/social_accounts/${on.id}`)).error_message).not.toBeNull()
    })

    it('takes a reply along that was not sent yet, and its account says so', async () => {
      const on = await connected(shop, { platform: 'facebook' })
      const comment = await received({}, on)
      const reply = await shop.insert('social_comments', 'scom', {
        ...{ social_account: on.id, platform: on.platform, social_post: null, parent: comment.id, author_name: 'Shop' },
        ...{ author_username: null, content: 'Soon', status: 'visible', liked: 0, likes_count: 0, replies_count: 0 },
        ...{ from_account: 1, platform_comment_id: null },
      })
      await shop.delete(`/social_comments/${comment.id}`)
      await shop.settled()
      const told = { comment: reply, account: on.id, action: 'reply', content: 'Soon' }
      await shop.insert('jobs', 'job', {
        ...{
          updated_at: undefined,
          name: 'social_comment.tell_platform',
          lane: 'outside',
          state: 'waiting',
          attempts: 0,
        },
        payload: JSON.stringify({ ...told, platformId: comment.platform_comment_id }),
        run_at: '2026-01-01T00:00:00.000Z',
      })
      await expect
        .poll(async () => (await shop.get(`/social_accounts/${on.id}`)).error_message, { timeout: 15_000 })
        .toBe('A reply was not sent: the comment that it answers was deleted.')
    })

    it('is answered in the name of the account', async () => {
      const comment = await received()
      const answered = await shop.api('POST', `/social_comments/${comment.id}/reply`, { content: 'Thank you!' })
      expect(answered.status).toBe(201)
      expect(answered.body).toMatchObject({
        ...{ content: 'Thank you!', parent: comment.id, from_account: true, author_username: account.username },
        ...{ allowed_actions: ['delete', 'like', 'reply'] },
      })
      expect(answered.body.platform_comment_id).toMatch(/^sandbox_/)
      expect((await shop.get(`/social_comments/${comment.id}`)).replies_count).toBe(1)
      expect(await shop.listed(`/social_comments?parent=${comment.id}`)).toEqual([answered.body.id])
      for (const content of ['', '  '])
        expect(await shop.refusal('POST', `/social_comments/${comment.id}/reply`, { content })).toEqual({
          content: ["can't be blank"],
        })
      const long = { content: 'x'.repeat(2001) }
      expect(await shop.refusal('POST', `/social_comments/${comment.id}/reply`, long)).toHaveProperty('content')
    })

    it('is hidden and shown, liked and not liked, any number of times', async () => {
      const { id } = await received()
      const steps: [Action, object][] = [
        ['hide', { status: 'hidden', likes_count: 2 }],
        ['unhide', { status: 'visible' }],
        ['like', { liked: true, likes_count: 3 }],
        ['unlike', { liked: false, likes_count: 2 }],
      ]
      for (const [action, expected] of steps) {
        const first = await shop.eventsOf(async () => expect(await act(id, action)).toMatchObject(expected))
        expect(first.map(({ type }) => type)).toEqual(['social_comment.updated'])
        expect(await shop.eventsOf(async () => expect(await act(id, action)).toMatchObject(expected))).toEqual([])
      }
    })

    it('allows what its platform lets apps do, and no more', async () => {
      for (const [platform, allowed] of Object.entries(ALLOWED)) {
        const on = await connected(shop, { platform })
        for (const action of ACTIONS) {
          const comment = await received({}, on)
          expect([platform, comment.allowed_actions]).toEqual([platform, allowed])
          const { status, body } =
            action === 'delete'
              ? await shop.api('DELETE', `/social_comments/${comment.id}`)
              : await shop.api('POST', `/social_comments/${comment.id}/${action}`, { content: 'Hi' })
          const possible = allowed.includes(
            ({ unhide: 'hide', unlike: 'like' } as Record<string, Action>)[action] ?? action,
          )
          expect([platform, action, status]).toEqual([
            platform,
            action,
            possible ? (action === 'reply' ? 201 : 200) : 400,
          ])
          if (!possible) expect(body.error.code).toBe('invalid_state')
        }
      }
    })

    it('of the shop itself cannot be hidden', async () => {
      const { id } = await act((await received()).id, 'reply', { content: 'Thank you!' })
      expect(await shop.refusal('POST', `/social_comments/${id}/hide`)).toEqual([400, 'invalid_state'])
      expect(await act(id, 'unhide')).toMatchObject({ status: 'visible' })
    })

    it('cannot be acted on through an account that is not connected', async () => {
      const on = await connected(shop)
      const comment = await received({}, on)
      await shop.set('social_accounts', on.id, { status: 'expired' })
      const { status, body } = await shop.api('POST', `/social_comments/${comment.id}/like`)
      expect([status, body.error.message]).toEqual([400, 'The social account is expired. Reconnect it first.'])
      // What is so already needs no platform.
      expect(await act(comment.id, 'unlike')).toMatchObject({ liked: false })
    })

    it('is as it was when the platform refuses, and its account says why', async () => {
      const on = await connected(shop, { token: 'refuses' })
      const comment = await received({}, on)
      for (const action of ['like', 'hide'])
        expect(await act(comment.id, action)).toMatchObject({ status: 'visible', liked: false, likes_count: 2 })
      const reply = await act(comment.id, 'reply', { content: 'Hello?' })
      expect((await shop.api('GET', `/social_comments/${reply.id}`)).status).toBe(404)
      expect((await shop.get(`/social_comments/${comment.id}`)).replies_count).toBe(0)
      expect((await shop.get(`/social_accounts/${on.id}/health`)).problems).toMatchObject([
        { code: 'last_request_refused' },
      ])
    })

    it('takes all answers to it along when it is deleted', async () => {
      const on = await connected(shop, { platform: 'facebook' })
      const root = await received({}, on)
      const child = await received({ parent: root.id }, on)
      const grandchild = await received({ parent: child.id }, on)
      await shop.set('social_comments', root.id, { replies_count: 1 })
      const events = await shop.eventsOf(() => shop.delete(`/social_comments/${child.id}`))
      expect(events.map(({ type, data }) => [type, data.id])).toEqual([
        ['social_comment.deleted', grandchild.id],
        ['social_comment.deleted', child.id],
        ['social_comment.updated', root.id],
      ])
      expect((await shop.get(`/social_comments/${root.id}`)).replies_count).toBe(0)
      expect(await shop.listed(`/social_comments?parent=${root.id}`)).toEqual([])
    })

    it('is found by its account and status', async () => {
      const on = await connected(shop)
      const [one, two] = [await received({}, on), await received({ status: 'hidden' }, on)]
      expect(await shop.listed(`/social_comments?social_account=${on.id}`)).toEqual([two.id, one.id])
      expect(await shop.listed(`/social_comments?social_account=${on.id}&status=hidden`)).toEqual([two.id])
    })
  })
})
