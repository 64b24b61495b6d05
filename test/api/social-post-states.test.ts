import { beforeAll, describe, expect, it } from 'vitest'
import { SocialPost } from '../../src/features/social/resources/social-post/social-post.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'
import { connected, inDays } from '../support/social.ts'

type Status = 'draft' | 'scheduled' | 'publishing' | 'published' | 'partially_failed' | 'failed'
const REFUSED = 'refused'

/** Where each action leads from each state, written by hand after the contract; `deleted` where the post is gone. */
const TABLE: Record<string, Record<Status, string>> = {
  update: {
    draft: 'draft',
    scheduled: 'scheduled',
    publishing: REFUSED,
    published: REFUSED,
    partially_failed: REFUSED,
    failed: REFUSED,
  },
  schedule: {
    draft: 'scheduled',
    scheduled: 'scheduled',
    publishing: REFUSED,
    published: REFUSED,
    partially_failed: REFUSED,
    failed: 'scheduled',
  },
  unschedule: {
    draft: REFUSED,
    scheduled: 'draft',
    publishing: REFUSED,
    published: REFUSED,
    partially_failed: REFUSED,
    failed: REFUSED,
  },
  publish: {
    draft: 'published',
    scheduled: 'published',
    publishing: REFUSED,
    published: REFUSED,
    partially_failed: REFUSED,
    failed: 'published',
  },
  retry: {
    draft: REFUSED,
    scheduled: REFUSED,
    publishing: REFUSED,
    published: REFUSED,
    partially_failed: 'published',
    failed: 'published',
  },
  duplicate: {
    draft: 'draft',
    scheduled: 'draft',
    publishing: 'draft',
    published: 'draft',
    partially_failed: 'draft',
    failed: 'draft',
  },
  delete: {
    draft: 'deleted',
    scheduled: 'deleted',
    publishing: REFUSED,
    published: 'deleted',
    partially_failed: 'deleted',
    failed: 'deleted',
  },
}

const STATES = Object.keys(TABLE.update!) as Status[]

describe('A social post', () => {
  onGateEngine((shop) => {
    let works: string
    let flaky: string
    beforeAll(async () => {
      works = (await connected(shop)).id
      flaky = (await connected(shop, { token: 'flaky' })).id
    })

    /** A post that came to a state by the ways of the contract; publishing is set, since it lasts milliseconds. */
    async function postIn(status: Status): Promise<Body> {
      const make = (accounts: string[], more: object = {}) =>
        shop.post('/social_posts', { social_accounts: accounts, content: 'Hello', ...more })
      if (status === 'draft') return make([works])
      if (status === 'scheduled') return make([works], { scheduled_at: inDays(3) })
      if (status === 'published') return make([works], { publish_now: true })
      if (status === 'failed') return make([flaky], { publish_now: true })
      if (status === 'partially_failed') return make([works, flaky], { publish_now: true })
      const post = await make([works])
      await shop.set('social_posts', post.id, { status })
      return shop.get(`/social_posts/${post.id}`)
    }

    for (const [action, leads] of Object.entries(TABLE)) {
      for (const status of STATES) {
        it(`that is ${status} is ${leads[status]} after ${action}`, async () => {
          const post = await postIn(status)
          expect(post.status).toBe(status)
          expect(post.allowed_actions.includes(action)).toBe(leads[status] !== REFUSED)
          const { status: http, body } = await attempt(shop, action, post.id)
          if (leads[status] === REFUSED) {
            expect([http, body.error.code]).toEqual([400, 'invalid_state'])
            expect(body.error.message).toContain(`Cannot ${action} a social post that is ${status}`)
            expect(await shop.get(`/social_posts/${post.id}`)).toEqual(post)
          } else {
            expect([http, body.deleted ? 'deleted' : body.status]).toEqual([200, leads[status]])
            expect(body.id === post.id).toBe(action !== 'duplicate')
          }
        })
      }
    }
  })

  it('has the table that is written here, and no other states or actions', () => {
    const written = STATES.map((status): [string, string[]] => [
      status,
      Object.keys(TABLE)
        .filter((action) => TABLE[action]![status] !== REFUSED)
        .sort(),
    ])
    expect(SocialPost.states).toEqual(Object.fromEntries(written))
  })
})

function attempt(shop: Shop, action: string, id: string) {
  const path = `/social_posts/${id}`
  if (action === 'update') return shop.api('PATCH', path, { content: 'Other words' })
  if (action === 'delete') return shop.api('DELETE', path)
  return shop.api('POST', `${path}/${action}`, action === 'schedule' ? { scheduled_at: inDays(5) } : {})
}
