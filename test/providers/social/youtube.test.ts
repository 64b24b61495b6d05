import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quotaRenewedAt } from '../../../src/features/social/providers/youtube-network/api.ts'
import { GOOGLE_SETTINGS } from '../../support/google-oauth.ts'
import type { Body } from '../../support/shop.ts'
import { YouTubeServer } from '../../support/youtube-server.ts'
import { NetworkShop, PNG } from './network-shop.ts'

const MIB = 1_048_576
const PUT = /^PUT www\.googleapis\.com\/upload/

describe('YouTube', () => {
  const shop = new NetworkShop()
  const youtube = new YouTubeServer()
  beforeAll(() => shop.openFor(youtube, GOOGLE_SETTINGS))
  afterAll(async () => {
    await shop.close()
    await youtube.close()
  })
  const uploads = () => youtube.asked.filter((one) => PUT.test(one)).length

  it('is not set up without the settings, which the refusal names', async () => {
    youtube.reachedBy(shop, {})
    const errors = await shop.refusal('POST', '/social_accounts', { platform: 'youtube' })
    expect(errors.platform[0]).toContain('is not set up on this service. Ask whoever runs it')
    youtube.reachedBy(shop, GOOGLE_SETTINGS)
  })

  it('connects on Google’s page with the scope that is needed, and not with less', async () => {
    const { connect_url } = await shop.post('/social_accounts', { platform: 'youtube' })
    const { visitor, address } = await shop.setOut(connect_url)
    expect(new URL(address).searchParams.get('scope')).toBe('https://www.googleapis.com/auth/youtube.force-ssl')
    const less = await visitor.follow(youtube.oauth.allow(address, ['openid']))
    expect(less.text).toContain('Access to YouTube was not allowed.')
    const { channels } = youtube
    youtube.channels = []
    const without = await shop.setOut(connect_url)
    expect((await without.visitor.follow(youtube.oauth.allow(without.address))).text).toContain(
      'has no YouTube channel',
    )
    youtube.channels = channels
    youtube.oauth.grants.clear()
    expect(await shop.connect('youtube', (one) => youtube.oauth.allow(one))).toMatchObject({
      ...{ status: 'connected', username: 'kestrel', display_name: 'Kestrel Films', followers_count: 12 },
      profile_url: 'https://www.youtube.com/@kestrel',
    })
  })

  it('lets a person choose between several channels', async () => {
    const { channels } = youtube
    youtube.channels = [...channels, { id: 'UC2', title: 'Kestrel Sounds', customUrl: undefined }]
    const { id, connect_url } = await shop.post('/social_accounts', { platform: 'youtube' })
    const { visitor, address } = await shop.setOut(connect_url)
    const page = await visitor.follow(youtube.oauth.allow(address))
    expect(page.text).toContain('Kestrel Sounds')
    await visitor.press(page, 'choose', { choice: '1' })
    expect(await shop.get(`/social_accounts/${id}`)).toMatchObject({ status: 'connected', username: 'UC2' })
    await shop.delete(`/social_accounts/${id}`)
    await shop.settled()
    youtube.channels = channels
  })

  it('sends a film in parts, waits until it is processed, and comments below it', async () => {
    const film = await shop.film(3, 9 * MIB)
    const content = 'A kestrel at dawn\n\nFilmed from the tower.'
    const post = await shop.publish({ content, media: [film], first_comment: 'Which bird next?' })
    const [video] = youtube.videos
    expect(post).toMatchObject({
      ...{ status: 'published', platform_post_id: video!.id },
      platform_url: `https://www.youtube.com/watch?v=${video!.id}`,
    })
    expect(video).toMatchObject({ title: 'A kestrel at dawn', description: content, bytes: 9 * MIB, looks: 2 })
    expect(uploads()).toBe(3)
    expect(youtube.comments.all).toMatchObject([{ text: 'Which bird next?', video: video!.id }])
    expect(await shop.progress(post.id)).toEqual({ progress: null })
  })

  it('reads figures and comments, answers, hides and deletes them', async () => {
    const video = youtube.videos[0]!.id
    const theirs = youtube.comments.received(video, 'When?')
    for (const text of ['First', 'Second']) youtube.comments.received(video, text, theirs)
    await shop.sync()
    const { data } = await shop.get('/social_comments?limit=10')
    const said = (text: string) => data.find(({ content }: Body) => content === text)
    expect(data).toHaveLength(4)
    expect(said('When?')).toMatchObject({ author_username: 'mara', likes_count: 4, parent: null })
    expect(said('Second').parent).toBe(said('When?').id)
    expect(said('Which bird next?').from_account).toBe(true)
    const figures = await shop.figuresOf(said('When?').social_post)
    expect(figures).toEqual([expect.objectContaining({ impressions: 100, likes: 3, comments: 2, reach: 0 })])
    const reply = await shop.post(`/social_comments/${said('Second').id}/reply`, { content: 'On Friday' })
    expect(youtube.comments.all.at(-1)).toMatchObject({ text: 'On Friday', parent: theirs })
    await shop.post(`/social_comments/${said('When?').id}/hide`)
    const statusOf = (id: string) => youtube.comments.all.find((one) => one.id === id)?.status
    expect(statusOf(theirs)).toBe('heldForReview')
    await shop.post(`/social_comments/${said('When?').id}/unhide`)
    expect(statusOf(theirs)).toBe('published')
    for (const { id } of [reply, said('First')]) await shop.delete(`/social_comments/${id}`)
    await shop.settled()
    expect(youtube.comments.all.some(({ text }) => text === 'On Friday')).toBe(false)
    expect(statusOf(said('First').platform_comment_id)).toBe('rejected')
    youtube.comments.turnedOff = true
    await shop.sync()
    expect((await shop.get(`/social_accounts/${shop.account.id}`)).error_message).toBeNull()
    const film = await shop.film(3, 1000)
    const silent = await shop.publish({ content: 'No words', media: [film], first_comment: 'Below' })
    expect(silent.status).toBe('published')
    youtube.comments.turnedOff = false
  })

  it.each([
    ['the first answer of the upload', /^POST www\.googleapis\.com\/upload/],
    ['the answer to a part', PUT],
    ['the answer to the comment', /^POST .*\/commentThreads$/],
  ])('makes one video when %s is lost', async (what, lost) => {
    const film = await shop.film(3, 9 * MIB)
    const content = `Once, although ${what} was lost`
    youtube.loses = lost
    const post = await shop.publish({ content, media: [film], first_comment: `Below: ${what}` })
    expect(post.status).toBe('pending')
    expect(await shop.hurry(post.id)).toMatchObject({ status: 'published' })
    expect(youtube.videos.filter(({ title }) => title === content)).toHaveLength(1)
    expect(youtube.comments.all.filter(({ text }) => text === `Below: ${what}`)).toHaveLength(1)
    expect(shop.running.errors.splice(0)).toHaveLength(1)
  })

  it('goes on where YouTube has only a part of a part, and where the last answer was lost', async () => {
    const film = await shop.film(3, 9 * MIB)
    youtube.takesOnly = MIB
    const before = uploads()
    expect(await shop.publish({ content: 'In pieces', media: [film] })).toMatchObject({ status: 'published' })
    expect(uploads() - before).toBe(3)
    const small = await shop.film(3, 1000)
    youtube.loses = /^PUT/
    const first = shop.publish({ content: 'The last answer', media: [small] })
    const post = await first
    const { progress } = (await shop.progress(post.id))!
    expect(progress).not.toContain('session')
    expect(await shop.hurry(post.id)).toMatchObject({ status: 'published' })
    shop.running.errors.splice(0)
  })

  it('looks for the video where the session is over, and sends it again where there is none', async () => {
    const film = await shop.film(3, 1000)
    for (const wasThere of [true, false]) {
      const content = `Session over, ${wasThere}`
      youtube.loses = PUT
      const lost = shop.publish({ content, media: [film] })
      const post = await lost
      expect(post.status).toBe('pending')
      // The first request asks what is there; the film itself is sent by the next try.
      if (wasThere) {
        youtube.loses = /^GET .*\/videos$/
        await shop.running.app.database.transaction(({ db }) =>
          db.updateTable('jobs').set({ run_at: '2026-01-01T00:00:00.000Z' }).where('state', '=', 'waiting').execute(),
        )
        await expect.poll(() => youtube.videos.some(({ title }) => title === content)).toBe(true)
        await shop.settled()
      }
      youtube.sessions.clear()
      await shop.hurry(post.id).catch(() => shop.hurry(post.id))
      expect(await shop.targetOf(post.id)).toMatchObject({ status: 'published' })
      expect(youtube.videos.filter(({ title }) => title === content)).toHaveLength(1)
    }
    shop.running.errors.splice(0)
  })

  it('refuses in the words of YouTube, and sends another film when somebody tries again', async () => {
    const film = await shop.film(3, 1000)
    youtube.endsAs = { uploadStatus: 'rejected', reason: 'duplicate' }
    const post = await shop.publish({ content: 'Rejected', media: [film] })
    expect(post).toMatchObject({ status: 'failed', error_message: 'YouTube rejected the video: duplicate' })
    youtube.endsAs = { uploadStatus: 'processed', reason: null }
    expect(await shop.retry(post.id)).toMatchObject({ status: 'published' })
    expect(youtube.videos.filter(({ title }) => title === 'Rejected')).toHaveLength(2)
  })

  it('does not call a video published that YouTube keeps private', async () => {
    const film = await shop.film(3, 1000)
    youtube.audited = false
    const post = await shop.publish({ content: 'Unaudited', media: [film] })
    expect(post).toMatchObject({ status: 'failed', error_message: expect.stringContaining('keeps it private') })
    youtube.audited = true
    youtube.videos[0]!.privacyStatus = 'public'
    expect(await shop.retry(post.id)).toMatchObject({ status: 'published' })
    expect(youtube.videos.filter(({ title }) => title === 'Unaudited')).toHaveLength(1)
  })

  it('waits for the next midnight of the Pacific where the quota is used up', async () => {
    const film = await shop.film(3, 1000)
    youtube.quotaUsed = true
    const post = await shop.publish({ content: 'Tomorrow', media: [film] })
    const [job] = await shop.waiting()
    expect(job!.last_error).toBe('The request cannot be completed because you have exceeded your quota.')
    expect(Math.abs(Date.parse(job!.run_at) - quotaRenewedAt(Date.now()))).toBeLessThan(10_000)
    youtube.quotaUsed = false
    expect(await shop.hurry(post.id)).toMatchObject({ status: 'published' })
  })

  it.each([
    ['2026-01-15T20:00:00Z', '2026-01-16T08:00:00.000Z'],
    ['2026-07-15T07:00:00Z', '2026-07-16T07:00:00.000Z'],
    ['2026-03-08T09:00:00Z', '2026-03-09T07:00:00.000Z'],
    ['2026-11-01T08:30:00Z', '2026-11-02T08:00:00.000Z'],
  ])('knows when that is: after %s', (now, next) => {
    expect(new Date(quotaRenewedAt(Date.parse(now))).toISOString()).toBe(next)
  })

  it('holds posts against the limits of YouTube and of the channel', async () => {
    const film = await shop.film(20, 1000)
    const png = await shop.uploaded('bird.png', PNG)
    expect(await shop.errorsFor({ content: 'x', media: [film] })).toEqual([])
    expect(await shop.errorsFor({ content: 'ü'.repeat(2501), media: [film] })).toEqual([
      'Content is too long for YouTube (5002 characters, maximum is 5000)',
    ])
    expect(await shop.errorsFor({ content: 'a < b', media: [film] })).toEqual(['Content must not contain < on YouTube'])
    expect(await shop.errorsFor({ content: '', media: [film] })).toEqual([
      'Content can’t be blank on YouTube, because its first line is the title'.replace('’', "'"),
    ])
    expect(await shop.errorsFor({ content: 'x', media: [png] })).toEqual([
      'Media has too many images for YouTube (1, maximum is 0)',
      'Media must have a video for YouTube',
    ])
    youtube.longUploads = 'disallowed'
    await shop.sync()
    const long = await shop.film(901, 1000)
    expect(await shop.errorsFor({ content: 'x', media: [long] })).toEqual([
      'Media has a video that is too long for YouTube (901 seconds, maximum is 900)',
    ])
    youtube.longUploads = 'allowed'
    await shop.sync()
  })

  it('cuts a long first line to a title', async () => {
    const film = await shop.film(3, 1000)
    const line = `${'Long '.repeat(30)}👩‍👩‍👧`
    await shop.publish({ content: line, media: [film] })
    expect(youtube.videos[0]!.title).toMatch(/^(Long )+Long…$/)
    expect(youtube.videos[0]!.description).toBe(line)
  })

  it('renews access, and expires where Google refuses', async () => {
    const film = await shop.film(3, 1000)
    const [token] = youtube.oauth.grants.keys()
    const before = youtube.oauth.grants.get(token!)?.access
    await shop.renewNext()
    expect(await shop.publish({ content: 'Renewed', media: [film] })).toMatchObject({ status: 'published' })
    expect(youtube.oauth.grants.get(token!)?.access).not.toBe(before)
    youtube.oauth.grants.clear()
    await shop.renewNext()
    const words = 'Token has been expired or revoked.'
    expect(await shop.publish({ content: 'Late', media: [film] })).toMatchObject({ error_message: words })
    expect(await shop.get(`/social_accounts/${shop.account.id}`)).toMatchObject({ status: 'expired' })
  })

  it('ends the access when it is disconnected', async () => {
    const { connect_url } = await shop.post(`/social_accounts/${shop.account.id}/reconnect`)
    const { visitor, address } = await shop.setOut(connect_url)
    await visitor.follow(youtube.oauth.allow(address))
    expect(youtube.oauth.grants.size).toBe(1)
    await shop.delete(`/social_accounts/${shop.account.id}`)
    await shop.settled()
    expect(youtube.oauth.grants.size).toBe(0)
  })
})
