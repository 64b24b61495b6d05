import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HAS_APP_VIEW, startNetwork } from '../../support/app-view.ts'
import type { Pds } from '../../support/pds.ts'
import { type Body, Shop } from '../../support/shop.ts'

const SETTINGS = { SANDBOX_PROVIDERS: 'false', OUTSIDE_ALLOW_LOOPBACK: 'true' }
const POSTS = 'app.bsky.feed.post'
const LIKES = 'app.bsky.feed.like'

describe.skipIf(!HAS_APP_VIEW)('Bluesky, with the app view of the network', () => {
  const shop = new Shop()
  let pds: Pds
  let owner: Awaited<ReturnType<Pds['account']>>
  let reader: Awaited<ReturnType<Pds['account']>>
  let account: Body
  beforeAll(async () => {
    pds = await startNetwork()
    owner = await pds.account('kestrel.test')
    reader = await pds.account('wren.test')
    await shop.open('sqlite', SETTINGS)
    const credentials = { identifier: 'kestrel.test', password: owner.appPassword, service: pds.url }
    account = await shop.post('/social_accounts', { platform: 'bluesky', credentials })
  }, 120_000)
  afterAll(async () => {
    await shop.close()
    await pds?.close()
  })

  /** What somebody else does on the network. */
  const make = (collection: string, record: object) =>
    pds.call('com.atproto.repo.createRecord', {
      token: reader.token,
      body: { repo: reader.did, collection, record: { ...record, createdAt: new Date().toISOString() } },
    })
  const recordsOf = async (did: string, collection: string): Promise<Body[]> =>
    (await pds.call('com.atproto.repo.listRecords', { query: { repo: did, collection } })).records
  /** Reads the account until something shows: the app view takes a moment to learn of a record. */
  const synced = async <Result>(look: () => Promise<Result | undefined>): Promise<Result> => {
    for (;;) {
      await shop.post(`/social_accounts/${account.id}/sync`)
      const found = await look()
      if (found !== undefined) return found
      await delay(200)
    }
  }
  const published = async (post: object): Promise<Body> => {
    const { id } = await shop.post('/social_posts', { social_accounts: [account.id], ...post })
    await shop.post(`/social_posts/${id}/publish`)
    await shop.settled()
    const { data } = await shop.get(`/social_posts/${id}/targets`)
    const [{ value, uri, cid }] = (await recordsOf(owner.did, POSTS)).filter(
      ({ uri }) => uri === data[0].platform_post_id,
    ) as [Body]
    return { id, value, ref: { uri, cid } }
  }
  const commentsOn = async (post: string): Promise<Body[]> =>
    (await shop.get(`/social_comments?social_post=${post}`)).data

  it('reads comments and figures, answers, likes and hides', async () => {
    const post = await published({ content: 'The Feldnotizbuch is back' })
    const asked = await make(POSTS, { text: 'Which paper?', reply: { root: post.ref, parent: post.ref } })
    await make(LIKES, { subject: post.ref })
    const comment = await synced(async () => (await commentsOn(post.id))[0])
    expect(comment).toMatchObject({ author_username: 'wren.test', content: 'Which paper?', from_account: false })

    const answer = await shop.post(`/social_comments/${comment.id}/reply`, { content: 'Rough, 90 g' })
    const below = (await recordsOf(owner.did, POSTS)).find(({ uri }) => uri === answer.platform_comment_id)!
    expect(below.value.reply).toMatchObject({ root: { uri: post.ref.uri }, parent: { uri: asked.uri } })
  }, 60_000)
})
