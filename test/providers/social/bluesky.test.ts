import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atProtocolProvider } from '../../../src/features/social/providers/at-protocol/at-protocol.ts'
import { PlatformRefusedError } from '../../../src/features/social/providers/provider.ts'
import type { WebRequest } from '../../../src/providers/web/client.ts'
import { createWeb } from '../../../src/providers/web/registry.ts'
import { film } from '../../support/film.ts'
import { startSite } from '../../support/local-site.ts'
import { networkParts } from '../../support/network-parts.ts'
import { HAS_PDS, type Pds, startPds } from '../../support/pds.ts'
import { type Body, Shop } from '../../support/shop.ts'

/** One transparent pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const SETTINGS = { SIMULATED_PROVIDERS: 'false', OUTSIDE_ALLOW_LOOPBACK: 'true' }

describe.skipIf(!HAS_PDS)('Bluesky, on the reference server of the AT Protocol', () => {
  const shop = new Shop()
  let pds: Pds
  let owner: Awaited<ReturnType<Pds['account']>>
  beforeAll(async () => {
    pds = await startPds()
    owner = await pds.account('kestrel.test')
    await pds.account('wren.test')
    await shop.open('sqlite', SETTINGS)
  }, 180_000)
  afterAll(async () => {
    await shop.close()
    await pds.close()
  })

  const connect = (credentials: object): Promise<Body> =>
    shop.post('/social_accounts', { platform: 'bluesky', credentials })
  const credentials = () => ({ identifier: '@kestrel.test', password: owner.appPassword, service: pds.url })
  const records = async (): Promise<Body[]> =>
    (await pds.call('com.atproto.repo.listRecords', { query: { repo: owner.did, collection: 'app.bsky.feed.post' } }))
      .records

  it('connects with an app password, and refuses a wrong one in its words', async () => {
    const wrong = await connect({ ...credentials(), password: 'nope-nope-nope-nope' })
    expect(wrong).toMatchObject({
      status: 'error',
      error_message: expect.stringContaining('Invalid identifier or password'),
    })
    const account = await connect(credentials())
    expect(account).toMatchObject({
      ...{ status: 'connected', username: 'kestrel.test', sandbox: false, error_message: null },
      profile_url: 'https://bsky.app/profile/kestrel.test',
    })
    expect(JSON.stringify(account)).not.toContain(owner.appPassword)
  })

  it('connects on our page, by what a person enters there', async () => {
    await pds.account('robin.test')
    const { id, connect_url } = await shop.post('/social_accounts', { platform: 'bluesky' })
    const front = await (await fetch(connect_url)).text()
    const [, instead] = /href="([^"]*\?by=entry)"/.exec(front)!
    const page = await (await fetch(new URL(instead!, connect_url))).text()
    expect(page).toContain('App password')
    expect(page).toContain('type="password"')
    const enter = (fields: Record<string, string>) =>
      fetch(connect_url, {
        method: 'POST',
        redirect: 'manual',
        headers: { Origin: new URL(connect_url).origin },
        body: new URLSearchParams({ do: 'allow', ...fields }),
      })
    const blank = await enter({ identifier: 'robin.test', password: '' })
    expect([blank.status, await blank.text()]).toEqual([
      422,
      expect.stringContaining('App password can&#39;t be blank.'),
    ])
    expect((await enter({ identifier: 'robin.test', password: 'wrong-wrong-wrong', service: pds.url })).status).toBe(
      303,
    )
    expect(await shop.get(`/social_accounts/${id}`)).toMatchObject({ status: 'pending', username: null })
    expect(await (await fetch(connect_url)).text()).not.toContain('wrong-wrong-wrong')
    expect(await (await fetch(new URL(instead!, connect_url))).text()).not.toContain('wrong-wrong-wrong')
  })

  it('publishes words with links, mentions and tags, and a first comment below', async () => {
    const { data } = await shop.get('/social_accounts?status=connected')
    const post = await shop.post('/social_posts', {
      content: 'The Feldnotizbuch 🪶 is back, @wren.test! https://kestrel.example/feld #paper',
      first_comment: 'More at https://kestrel.example',
      language: 'de-CH',
      social_accounts: [data[0].id],
    })
    await shop.post(`/social_posts/${post.id}/publish`)
    await shop.settled()
    expect(await shop.get(`/social_posts/${post.id}`)).toMatchObject({ status: 'published' })
    const [comment, first] = (await records()).toSorted((one) => (one.value.reply ? -1 : 1))
    expect(first!.value.text).toContain('Feldnotizbuch 🪶')
    expect([first!.value.langs, comment!.value.langs]).toEqual([['de-CH'], ['de-CH']])
    const features = first!.value.facets.flatMap((facet: Body) => facet.features)
    expect(features).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ uri: 'https://kestrel.example/feld' }),
        expect.objectContaining({ $type: 'app.bsky.richtext.facet#mention', did: expect.stringMatching(/^did:plc:/) }),
        expect.objectContaining({ tag: 'paper' }),
      ]),
    )
    const bytes = Buffer.from(first!.value.text)
    const link = first!.value.facets.find((facet: Body) => facet.features[0].uri)
    expect(bytes.subarray(link.index.byteStart, link.index.byteEnd).toString()).toBe('https://kestrel.example/feld')
    expect(first!.value.embed).toMatchObject({ external: { uri: 'https://kestrel.example/feld' } })
    expect(comment!.value.reply.parent.uri).toBe(first!.uri)
    const { data: targets } = await shop.get(`/social_posts/${post.id}/targets`)
    expect(targets[0].platform_post_id).toBe(first!.uri)
    expect(JSON.stringify(targets[0])).toContain('"https://bsky.app/profile/kestrel.test/post/')
  })

  it('shows a card of the first link, with the picture of its page where there is one', async () => {
    const { data } = await shop.get('/social_accounts?status=connected')
    const page = (picture: string) =>
      `<title>Feld</title><meta property="og:title" content="Das Feld&amp;buch"><meta name="description" content="Paper"><meta property="og:image" content="${picture}">`
    const png = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
    const site = await startSite({
      ...{ '/with': page('/bird.png'), '/bird.png': png },
      ...{ '/text': page('/words'), '/words': 'no picture', '/private': page('http://169.254.169.254/bird.png') },
    })
    const cardOf = async (path: string) => {
      const post = await shop.post('/social_posts', {
        content: `Look: ${site.url}${path}`,
        social_accounts: [data[0].id],
      })
      await shop.post(`/social_posts/${post.id}/publish`)
      await shop.settled()
      const [target] = (await shop.get(`/social_posts/${post.id}/targets`)).data
      return (await records()).find(({ uri }) => uri === target.platform_post_id)!.value.embed.external
    }
    const card = { title: 'Das Feld&buch', description: 'Paper' }
    expect(await cardOf('/with')).toMatchObject({ ...card, thumb: { mimeType: 'image/png', size: PNG.length } })
    for (const path of ['/text', '/private']) {
      const without = await cardOf(path)
      expect(without).toMatchObject({ ...card, uri: site.url + path })
      expect(without).not.toHaveProperty('thumb')
    }
    expect(await cardOf('/nothing')).toEqual({
      uri: `${site.url}/nothing`,
      title: `${site.url}/nothing`,
      description: '',
    })
    await site.close()
  })

  it('publishes pictures, and none that is too large', async () => {
    const { data } = await shop.get('/social_accounts?status=connected')
    const picture = async (bytes: Buffer, alternative_text: string | null = null) => {
      const file = await shop.post('/files', { filename: 'bird.png', alternative_text })
      await fetch(file.upload_url, { method: 'PUT', body: new Uint8Array(bytes), headers: file.upload_headers })
      return (await shop.post(`/files/${file.id}/uploaded`)).id
    }
    const published = async (media: string[]) => {
      const post = await shop.post('/social_posts', { content: 'A bird', media, social_accounts: [data[0].id] })
      await shop.post(`/social_posts/${post.id}/publish`)
      await shop.settled()
      return (await shop.get(`/social_posts/${post.id}/targets`)).data[0]
    }
    const sent = await published([await picture(PNG, 'Ein Falke, grün'), await picture(PNG)])
    const record = (await records()).find(({ uri }) => uri === sent.platform_post_id)
    // Nobody has said in which language these words are.
    expect(record!.value).not.toHaveProperty('langs')
    expect(record!.value.embed.images.map(({ alt }: Body) => alt)).toEqual(['Ein Falke, grün', ''])
    expect(record!.value.embed.images[0].aspectRatio).toEqual({ width: 1, height: 1 })
    const { ref, size } = record!.value.embed.images[0].image
    expect(size).toBe(PNG.length)
    const query = new URLSearchParams({ did: owner.did, cid: ref.$link })
    const blob = await fetch(`${pds.url}/xrpc/com.atproto.sync.getBlob?${query}`)
    expect(Buffer.from(await blob.arrayBuffer())).toEqual(PNG)
    const media = [await picture(Buffer.concat([PNG, Buffer.alloc(2_100_000)]))]
    const post = { content: 'A bird', media, social_accounts: [data[0].id] }
    expect(await shop.post('/social_posts/validate', post)).toMatchObject({ valid: false })
    const { id } = await shop.post('/social_posts', post)
    const refused = await shop.refusal('POST', `/social_posts/${id}/publish`)
    expect(JSON.stringify(refused)).toContain('has an image that is too large for Bluesky (2.1 MB, maximum is 2 MB)')
  })

  it('publishes a video, and says what its server or the network does not take', async () => {
    const { data } = await shop.get('/social_accounts?status=connected')
    const published = async (bytes: Uint8Array, filename: string) => {
      const file = await shop.post('/files', { filename, alternative_text: 'Ein Falke im Flug' })
      await fetch(file.upload_url, { method: 'PUT', body: Buffer.from(bytes), headers: file.upload_headers })
      const media = [(await shop.post(`/files/${file.id}/uploaded`)).id]
      const post = await shop.post('/social_posts', { content: 'A film', media, social_accounts: [data[0].id] })
      await shop.post(`/social_posts/${post.id}/publish`)
      await shop.settled()
      return (await shop.get(`/social_posts/${post.id}/targets`)).data[0]
    }
    const bytes = await film('mp4', 3)
    const sent = await published(bytes, 'bird.mp4')
    const record = (await records()).find(({ uri }) => uri === sent.platform_post_id)
    expect(record!.value.embed).toMatchObject({
      $type: 'app.bsky.embed.video',
      alt: 'Ein Falke im Flug',
      aspectRatio: { width: expect.any(Number), height: expect.any(Number) },
      video: { mimeType: 'video/mp4', size: bytes.length },
    })
    const query = new URLSearchParams({ did: owner.did, cid: record!.value.embed.video.ref.$link })
    const blob = await fetch(`${pds.url}/xrpc/com.atproto.sync.getBlob?${query}`)
    expect(Buffer.from(await blob.arrayBuffer())).toEqual(Buffer.from(bytes))

    // The server of the tests takes 5 MB.
    const padded = Buffer.concat([bytes, Buffer.alloc(6_000_000)])
    expect(await published(padded, 'long.mp4')).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('a video was refused: request entity too large'),
    })
  })

  describe('asked directly', () => {
    const provider = atProtocolProvider(
      networkParts(createWeb({ WEBHOOKS_ALLOW_LOOPBACK: false, OUTSIDE_ALLOW_LOOPBACK: true }).outside),
    )
    const login = (given: object = credentials()) => ({
      ...{ platform: 'bluesky', id: 'sacct_x', username: 'kestrel.test', test: false, publicUrl: 'http://localhost' },
      credentials: given as Record<string, string>,
    })
    let session: object
    beforeAll(async () => {
      session = (await provider.connect({ login: login(), signal: AbortSignal.timeout(20_000) })).credentials
    })
    const request = (key: string, again: boolean) => ({
      ...{ login: login(session), signal: AbortSignal.timeout(20_000), key, again, target: 'x' },
      ...{ text: `Once only, ${key}`, media: [], firstComment: 'And once below' },
    })

    it('makes one post of many tries, whatever was lost', async () => {
      const before = (await records()).length
      const first = await provider.publish(request('job_1', false))
      const again = await provider.publish(request('job_1', true))
      const lost = await provider.publish(request('job_1', false))
      expect([again.id, lost.id, again.firstCommentId]).toEqual([first.id, first.id, first.firstCommentId])
      expect((await records()).length).toBe(before + 2)
      const { cid } = (await records()).find(({ uri }) => uri === first.id)!
      const side = await Promise.all([
        provider.publish(request('job_1', false)),
        provider.publish(request('job_1', true)),
      ])
      expect(side.map(({ id }) => id)).toEqual([first.id, first.id])
      expect((await records()).find(({ uri }) => uri === first.id)!.cid).toBe(cid)
    })

    it('counts a post as published whose first comment the network refuses', async () => {
      const long = { ...request('job_long', false), firstComment: 'x'.repeat(400) }
      const { id, firstCommentId } = await provider.publish(long)
      expect([id.startsWith('at://'), firstCommentId]).toEqual([true, null])
      expect(await provider.publish({ ...long, again: true })).toMatchObject({ id })
    })

    it('answers, likes and deletes', async () => {
      const { id } = await provider.publish({ ...request('job_2', false), firstComment: null })
      const asked = {
        login: login(session),
        signal: AbortSignal.timeout(20_000),
        comment: id,
        content: null,
        again: false,
      }
      const answer = await provider.comment({ ...asked, key: 'reply', action: 'reply', content: 'Thank you' })
      const same = await provider.comment({ ...asked, key: 'reply', action: 'reply', content: 'Thank you' })
      expect(same.id).toBe(answer.id)
      await provider.comment({ ...asked, key: 'like', action: 'like' })
      const likes = async () =>
        (
          await pds.call('com.atproto.repo.listRecords', {
            query: { repo: owner.did, collection: 'app.bsky.feed.like' },
          })
        ).records
      expect((await likes()).map((like: Body) => like.value.subject.uri)).toEqual([id])
      await provider.comment({ ...asked, key: 'unlike', action: 'unlike' })
      expect(await likes()).toEqual([])
      await provider.comment({ ...asked, key: 'delete', action: 'delete', comment: answer.id! })
      expect((await records()).map(({ uri }) => uri)).not.toContain(answer.id)
      await expect(provider.comment({ ...asked, key: 'hide', action: 'hide' })).rejects.toThrow(PlatformRefusedError)
    })

    it('ends the access when the app password is revoked', async () => {
      const other = await pds.account('finch.test')
      const given = { identifier: 'finch.test', password: other.appPassword, service: pds.url }
      const signal = AbortSignal.timeout(20_000)
      const { credentials } = await provider.connect({ login: login(given), signal })
      await pds.call('com.atproto.server.revokeAppPassword', { token: other.token, body: { name: 'shopwright' } })
      const refused = provider.renew!({ login: login(credentials), signal })
      await expect(refused).rejects.toMatchObject({ constructor: PlatformRefusedError, expired: true })
    })

    it('keeps one session for many posts, and renews it without the app password', async () => {
      const asked: string[] = []
      const { outside } = createWeb({ WEBHOOKS_ALLOW_LOOPBACK: false, OUTSIDE_ALLOW_LOOPBACK: true })
      const counting = atProtocolProvider(
        networkParts(
          Object.assign(Object.create(outside), {
            fetch(url: string, options: WebRequest) {
              asked.push(new URL(url).pathname.replace('/xrpc/com.atproto.server.', ''))
              return outside.fetch(url, options)
            },
          }),
        ),
      )
      const signal = AbortSignal.timeout(40_000)
      const first = await counting.connect({ login: login(), signal })
      for (const key of ['s1', 's2', 's3'])
        await counting.publish({ ...request(key, false), login: login(first.credentials), firstComment: null })
      const { credentials, renewAt } = await counting.renew!({ login: login(first.credentials), signal })
      await counting.publish({ ...request('s4', false), login: login(credentials), firstComment: null })
      const opened = asked.filter((one) => one === 'createSession' || one === 'refreshSession')
      expect(opened).toEqual(['createSession', 'refreshSession'])
      expect(Date.parse(renewAt!)).toBeGreaterThan(Date.now())
      expect(counting.needsRenewal!(credentials)).toBe(false)
      expect(counting.needsRenewal!(login().credentials)).toBe(true)
      await counting.revoke!({ login: login(credentials), signal })
      await expect(counting.renew!({ login: login({ ...credentials, password: 'no' }), signal })).rejects.toThrow()
    })

    it('leaves a mention as text that no server knows, and says the sides of files', async () => {
      const text = 'Thanks @nobody-knows.invalid and @wren.test'
      const { id } = await provider.publish({ ...request('mentions', false), text, firstComment: null })
      const { value } = (await records()).find(({ uri }) => uri === id)!
      expect(value.text).toBe(text)
      expect(value.facets.flatMap((facet: Body) => facet.features)).toEqual([
        expect.objectContaining({ did: expect.stringMatching(/^did:plc:/) }),
      ])
    })

    it.each(['http://169.254.169.254', 'http://10.0.0.1', 'http://[::1]:5432', 'http://metadata.google.internal'])(
      'goes to no private address: %s',
      async (service) => {
        const strict = atProtocolProvider(
          networkParts(createWeb({ WEBHOOKS_ALLOW_LOOPBACK: false, OUTSIDE_ALLOW_LOOPBACK: false }).outside),
        )
        const given = login({ ...credentials(), service })
        await expect(strict.connect({ login: given, signal: AbortSignal.timeout(20_000) })).rejects.toThrow()
      },
    )
  })
})
