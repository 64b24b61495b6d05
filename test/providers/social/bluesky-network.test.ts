import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowAccess } from '../../support/access.ts'
import { HAS_APP_VIEW, startNetwork } from '../../support/app-view.ts'
import type { Pds } from '../../support/pds.ts'
import { type Body, Shop } from '../../support/shop.ts'

const SETTINGS = { SIMULATED_PROVIDERS: 'false', OUTSIDE_ALLOW_LOOPBACK: 'true' }
const POSTS = 'app.bsky.feed.post'
const LIKES = 'app.bsky.feed.like'
const GATES = 'app.bsky.feed.threadgate'

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
    await shop.open('sqlite', { ...SETTINGS, PLC_DIRECTORY_URL: pds.plcUrl })
    account = await allowAccess(shop, { identifier: pds.url, handle: 'kestrel.test' })
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
  /** The app view knows that a post was deleted. */
  const gone = async (uri: string): Promise<void> => {
    const query = { uris: uri }
    while ((await pds.call('app.bsky.feed.getPosts', { token: reader.token, query })).posts.length > 0) await delay(100)
  }
  const commentsOn = async (post: string): Promise<Body[]> =>
    (await shop.get(`/social_comments?social_post=${post}`)).data

  it('reads comments and figures, and answers', async () => {
    const post = await published({ content: 'The Feldnotizbuch is back' })
    const asked = await make(POSTS, { text: 'Which paper?', reply: { root: post.ref, parent: post.ref } })
    await make(LIKES, { subject: post.ref })
    const comment = await synced(async () => (await commentsOn(post.id))[0])
    expect(comment).toMatchObject({ author_username: 'wren.test', content: 'Which paper?', from_account: false })
    const figures = await synced(async () => {
      const { metrics } = await shop.get(`/social_posts/${post.id}/analytics`)
      return metrics.likes > 0 ? metrics : undefined
    })
    expect(figures).toMatchObject({ likes: 1, comments: 1, shares: 0, impressions: 0 })
    const ofAccount = await shop.get(`/social_analytics?social_account=${account.id}`)
    expect(ofAccount.metrics).toMatchObject({ likes: 1, comments: 1, followers: 0 })

    const answer = await shop.post(`/social_comments/${comment.id}/reply`, { content: 'Rough, 90 g' })
    const below = (await recordsOf(owner.did, POSTS)).find(({ uri }) => uri === answer.platform_comment_id)!
    expect(below.value.reply).toMatchObject({ root: { uri: post.ref.uri }, parent: { uri: asked.uri } })
    await make(LIKES, { subject: asked })
    await make('app.bsky.graph.follow', { subject: owner.did })
    await synced(async () =>
      (await shop.get(`/social_accounts/${account.id}`)).followers_count === 1 ? true : undefined,
    )
    expect(await commentsOn(post.id)).toHaveLength(2)
  }, 60_000)

  it('likes comments, hides them and shows them again, and takes all of it back', async () => {
    const post = await published({ content: 'A second one' })
    const rude = await make(POSTS, { text: 'Rubbish!', reply: { root: post.ref, parent: post.ref } })
    const comment = await synced(async () => (await commentsOn(post.id))[0])
    const likes = async () => (await recordsOf(owner.did, LIKES)).map(({ value }) => value.subject.uri)
    await shop.post(`/social_comments/${comment.id}/like`)
    expect(await likes()).toEqual([rude.uri])
    await shop.post(`/social_comments/${comment.id}/unlike`)
    expect(await likes()).toEqual([])

    const gate = async () => (await recordsOf(owner.did, GATES)).find(({ value }) => value.post === post.ref.uri)
    await shop.post(`/social_comments/${comment.id}/hide`)
    expect((await gate())!.value.hiddenReplies).toEqual([rude.uri])
    const allow = [{ $type: 'app.bsky.feed.threadgate#mentionRule' }]
    const rkey = post.ref.uri.split('/').at(-1)
    await pds.call('com.atproto.repo.putRecord', {
      token: owner.token,
      body: { repo: owner.did, collection: GATES, rkey, record: { ...(await gate())!.value, allow } },
    })
    await shop.post(`/social_comments/${comment.id}/unhide`)
    expect((await gate())!.value).toMatchObject({ hiddenReplies: [], allow })
    expect(await shop.refusal('DELETE', `/social_comments/${comment.id}`)).toEqual([400, 'invalid_state'])
  }, 60_000)

  it('counts an answer that was given in the app, and leaves out a post that was deleted there', async () => {
    const post = await published({ content: 'A third one' })
    const asked = await make(POSTS, { text: 'In blue too?', reply: { root: post.ref, parent: post.ref } })
    await pds.call('com.atproto.repo.createRecord', {
      token: owner.token,
      body: {
        ...{ repo: owner.did, collection: POSTS },
        record: { text: 'Soon', reply: { root: post.ref, parent: asked }, createdAt: new Date().toISOString() },
      },
    })
    const all = await synced(async () => {
      const found = await commentsOn(post.id)
      return found.length === 2 ? found : undefined
    })
    const question = all.find(({ content }) => content === 'In blue too?')!
    expect(all.find(({ content }) => content === 'Soon')).toMatchObject({ from_account: true, parent: question.id })

    const [repo, collection, rkey] = post.ref.uri.split('/').slice(2)
    await pds.call('com.atproto.repo.deleteRecord', { token: owner.token, body: { repo, collection, rkey } })
    await gone(post.ref.uri)
    const { last_synced_at } = await shop.get(`/social_accounts/${account.id}`)
    while (Date.now() < Date.parse(last_synced_at) + 1000) await delay(50)
    const again = await shop.post(`/social_accounts/${account.id}/sync`)
    expect(again).toMatchObject({ status: 'connected', error_message: null })
    expect(again.last_synced_at).not.toBe(last_synced_at)
  }, 60_000)
})
