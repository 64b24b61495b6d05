import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_VERSIONS } from '../../../src/providers/api-versions.ts'
import { Visitor } from '../../pages/visitor.ts'
import { LINKEDIN_SETTINGS, LinkedInServer, OLDEST_VERSION } from '../../support/linkedin-server.ts'
import { signIn } from '../../support/person.ts'
import { type Body, Shop } from '../../support/shop.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const POSTING = /^POST api\.linkedin\.com\/rest\/posts$/

describe('LinkedIn', () => {
  const shop = new Shop()
  const linkedin = new LinkedInServer()
  let account: Body
  beforeAll(async () => {
    await linkedin.open()
    await shop.open('sqlite', { SIMULATED_PROVIDERS: 'false', OUTSIDE_ALLOW_LOOPBACK: 'true' })
    linkedin.reachedBy(shop, LINKEDIN_SETTINGS)
  })
  afterAll(async () => {
    await shop.close()
    await linkedin.close()
  })

  const setOut = async () => {
    const { id, connect_url } = await shop.post('/social_accounts', { platform: 'linkedin' })
    const visitor = new Visitor(shop.running.url)
    const left = await visitor.press(await visitor.open(connect_url), 'continue')
    return { id, visitor, address: /^0; url=(.+)$/.exec(left.headers.get('refresh') ?? '')?.[1] ?? '' }
  }
  const uploaded = async (name: string, bytes: Uint8Array, more: object = {}): Promise<string> => {
    const file = await shop.post('/files', { filename: name, ...more })
    await fetch(file.upload_url, { method: 'PUT', body: bytes as BodyInit, headers: file.upload_headers })
    await shop.post(`/files/${file.id}/uploaded`)
    return file.id
  }
  const targetOf = async (id: string): Promise<Body> => (await shop.get(`/social_posts/${id}/targets`)).data[0]
  const publish = async (more: object): Promise<Body> => {
    const { id } = await shop.post('/social_posts', { social_accounts: [account.id], publish_now: true, ...more })
    await shop.settled()
    return { ...(await targetOf(id)), id }
  }
  const setJobsBack = () =>
    shop.running.app.database.transaction(({ db }) =>
      db
        .updateTable('jobs')
        .set({ run_at: '2026-01-01T00:00:00.000Z', created_at: '2026-01-01T00:00:00.000Z' })
        .where('state', '=', 'waiting')
        .where('lane', '=', 'outside')
        .execute(),
    )
  /** Retries the job whose answer was lost, and waits for its result. */
  const tryAgain = async (id: string): Promise<Body> => {
    await setJobsBack()
    while ((await targetOf(id)).status === 'pending') await delay(50)
    expect(shop.running.errors.splice(0)).toHaveLength(1)
    return targetOf(id)
  }

  it('connects on the page of LinkedIn, or takes no for an answer', async () => {
    const no = await setOut()
    expect((await no.visitor.follow(linkedin.deny(no.address))).text).toContain('Access was not allowed.')
    const { id, visitor, address } = await setOut()
    expect(new URL(address).searchParams.get('scope')).toBe('openid profile w_member_social')
    expect((await visitor.follow(linkedin.allow(address))).text).toContain('LinkedIn is connected')
    account = await shop.get(`/social_accounts/${id}`)
    expect(account).toMatchObject({
      status: 'connected',
      username: 'm-7',
      display_name: 'Ada Kestrel',
      followers_count: null,
    })
  })

  it('publishes plain words with tags, described pictures and a first comment', async () => {
    const picture = await uploaded('a.png', PNG, { alternative_text: 'A kestrel' })
    const other = await uploaded('b.png', PNG)
    const content = 'Back (in) stock_now @home #birds'
    const post = await publish({ content, media: [picture, other], first_comment: 'Ask (us)' })
    const [made] = linkedin.posts
    expect(post).toMatchObject({
      ...{ status: 'published', platform_post_id: made!.id },
      platform_url: `https://www.linkedin.com/feed/update/${made!.id}/`,
    })
    expect(made!.commentary).toBe('Back \\(in\\) stock\\_now \\@home {hashtag|\\#|birds}')
    const [first, second] = linkedin.uploads
    expect(made!.content).toEqual({
      multiImage: { images: [{ id: first!.urn, altText: 'A kestrel' }, { id: second!.urn }] },
    })
    expect(linkedin.comments).toEqual([expect.objectContaining({ object: made!.id, message: { text: 'Ask (us)' } })])
  })

  it('sends a video in the parts that LinkedIn names, and waits for it', async () => {
    const bytes = new Uint8Array(9_000_001).fill(1)
    bytes.set(Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'))
    const film = await uploaded('bird.mp4', bytes, { content_type: 'video/mp4' })
    expect(await publish({ content: 'A film', media: [film] })).toMatchObject({ status: 'published' })
    expect(linkedin.uploads.at(-1)).toMatchObject({ parts: [4_194_304, 4_194_304, 611_393], looks: 2 })
    const check = await shop.post('/social_posts/validate', {
      ...{ content: 'Both', media: [film, await shop.file()], social_accounts: [account.id] },
    })
    expect(check.results[0].errors).toEqual(['Media has images and a video; LinkedIn accepts either in one post'])
  })

  it('posts words once when the answer is lost: LinkedIn names the post that is there', async () => {
    linkedin.loses = POSTING
    const { id } = await publish({ content: 'Said once', first_comment: 'Below' })
    expect(await tryAgain(id)).toMatchObject({ status: 'published', platform_post_id: linkedin.posts.at(-1)!.id })
    expect(linkedin.posts.filter(({ commentary }) => commentary === 'Said once')).toHaveLength(1)
    expect(linkedin.comments.filter(({ message }) => message.text === 'Below')).toHaveLength(0)
  })

  it('does not post files twice when nobody can look, and leaves that to a person', async () => {
    const media = [await uploaded('c.png', PNG)]
    linkedin.loses = POSTING
    const { id } = await publish({ content: 'Shown once', media })
    const failed = await tryAgain(id)
    expect(failed).toMatchObject({ status: 'failed', error_message: expect.stringContaining('Look at the profile') })
    const shown = () => linkedin.posts.filter(({ commentary }) => commentary === 'Shown once')
    expect(shown()).toHaveLength(1)
    linkedin.posts = linkedin.posts.filter((one) => !shown().includes(one))
    await shop.post(`/social_posts/${id}/retry`)
    await shop.settled()
    expect([(await targetOf(id)).status, shown().length]).toEqual(['published', 1])
  })

  it('refuses in the words of LinkedIn, and waits an hour when that limits the rate', async () => {
    expect((await publish({ content: 'Said once' })).error_message).toMatch(/^Content is a duplicate of urn:li:share:/)
    linkedin.isLimited = true
    await publish({ content: 'Later' })
    const job = await shop.db
      .selectFrom('jobs')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('lane', '=', 'outside')
      .executeTakeFirstOrThrow()
    expect([job.attempts, Math.round((Date.parse(job.run_at) - Date.now()) / 60_000)]).toEqual([0, 60])
    linkedin.isLimited = false
  })

  it('waits while LinkedIn takes the version no more, warns, and posts after the update', async () => {
    const { version } = API_VERSIONS.linkedIn
    const person = await signIn(shop.running)
    const page = async () =>
      (await person.get('/dashboard/my-shop/settings/connections')).html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    linkedin.oldestVersion = '202612'
    const { id } = await publish({ content: 'After the update' })
    expect(await targetOf(id)).toMatchObject({ status: 'pending', error_message: null })
    await setJobsBack()
    await expect.poll(() => shop.running.warnings.filter((one) => 'version' in one).length).toBeGreaterThan(1)
    expect(await targetOf(id)).toMatchObject({ status: 'pending' })
    expect(shop.running.warnings).toContainEqual(expect.objectContaining({ version, socialAccount: account.id }))
    const ended = `LinkedIn no longer takes version ${version} of its API`
    expect((await shop.get(`/social_accounts/${account.id}`)).error_message).toContain(ended)
    const advice = 'Install a newer release, or set LINKEDIN_VERSION to a version that LinkedIn takes'
    const told = await page()
    for (const words of [`LinkedIn Outdated ${ended}, so posts wait.`, advice]) expect(told).toContain(words)
    linkedin.oldestVersion = OLDEST_VERSION
    linkedin.reachedBy(shop, { ...LINKEDIN_SETTINGS, LINKEDIN_VERSION: '202608' })
    expect(await page()).not.toContain('Outdated')
    await setJobsBack()
    await expect.poll(async () => (await targetOf(id)).status, { timeout: 15_000 }).toBe('published')
    linkedin.reachedBy(shop, LINKEDIN_SETTINGS)
  })

  it('invents no figures and comments where the app may not read them', async () => {
    await shop.post(`/social_accounts/${account.id}/sync`)
    await shop.settled()
    expect(await shop.get(`/social_accounts/${account.id}`)).toMatchObject({ status: 'connected', error_message: null })
    expect(await shop.db.selectFrom('social_figures').selectAll().execute()).toEqual([])
  })

  it('reads figures and comments with a permission, and answers, likes and deletes', async () => {
    linkedin.mayRead = true
    const { id, platform_post_id } = await publish({ content: 'Questions?' })
    linkedin.hear(platform_post_id, 'When?')
    await shop.post(`/social_accounts/${account.id}/sync`)
    await shop.settled()
    const figures = await shop.db.selectFrom('social_figures').selectAll().where('social_post', '=', id).execute()
    expect(figures).toEqual([expect.objectContaining({ likes: 6, comments: 2, impressions: 0 })])
    const { data } = await shop.get(`/social_comments?social_post=${id}`)
    expect(data).toEqual([expect.objectContaining({ content: 'When?', author_username: 'other' })])
    await shop.post(`/social_comments/${data[0].id}/like`)
    expect([...linkedin.reactions]).toEqual([data[0].platform_comment_id])
    await shop.post(`/social_comments/${data[0].id}/unlike`)
    expect(linkedin.reactions.size).toBe(0)
    const reply = await shop.post(`/social_comments/${data[0].id}/reply`, { content: 'Soon' })
    const made = () => linkedin.comments.find(({ message }) => message.text === 'Soon')
    expect(made()).toMatchObject({ parentComment: data[0].platform_comment_id, object: platform_post_id })
    await shop.delete(`/social_comments/${reply.id}`)
    await shop.settled()
    expect(made()).toBeUndefined()
    linkedin.loses = POSTING
    const lost = await publish({ content: 'Looked for', media: [await uploaded('d.png', PNG)] })
    expect(await tryAgain(lost.id)).toMatchObject({ status: 'published' })
    expect(linkedin.posts.filter(({ commentary }) => commentary === 'Looked for')).toHaveLength(1)
  })

  it('reads the others where a post was deleted on LinkedIn', async () => {
    const [first, deleted, last] = [
      await publish({ content: 'The first one' }),
      await publish({ content: 'It goes' }),
      await publish({ content: 'The last one' }),
    ]
    linkedin.hear(first.platform_post_id, 'Below the first')
    linkedin.hear(last.platform_post_id, 'Below the last')
    linkedin.gone.add(deleted.platform_post_id)
    await shop.post(`/social_accounts/${account.id}/sync`)
    await shop.settled()
    expect(await shop.get(`/social_accounts/${account.id}`)).toMatchObject({ status: 'connected', error_message: null })
    const likesOf = async ({ id }: Body) => (await shop.get(`/social_posts/${id}/analytics`)).metrics.likes
    expect(await Promise.all([first, deleted, last].map(likesOf))).toEqual([6, 0, 6])
    for (const [{ id }, content] of [
      [first, 'Below the first'],
      [last, 'Below the last'],
    ])
      expect((await shop.get(`/social_comments?social_post=${id}`)).data).toMatchObject([{ content }])
  })

  it('expires in the words of LinkedIn, and ends the access when it is disconnected', async () => {
    const [token] = linkedin.grants.keys()
    const scopes = linkedin.grants.get(token!)!
    linkedin.grants.clear()
    await publish({ content: 'Too late' })
    expect(await shop.get(`/social_accounts/${account.id}`)).toMatchObject({
      ...{ status: 'expired', error_message: 'The token used in the request has been revoked by the user' },
    })
    linkedin.grants.set(token!, scopes)
    await shop.delete(`/social_accounts/${account.id}`)
    await shop.settled()
    expect(linkedin.grants.size).toBe(0)
  })
})
