import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PINTEREST_SETTINGS, PinterestServer } from '../../support/pinterest-server.ts'
import { NetworkShop, PNG } from './network-shop.ts'

const MIB = 1_048_576

describe('Pinterest', () => {
  const shop = new NetworkShop()
  const pinterest = new PinterestServer()
  let picture: string
  beforeAll(async () => {
    await shop.openFor(pinterest, PINTEREST_SETTINGS)
    picture = await shop.uploaded('bird.png', PNG, { alternative_text: 'A kestrel' })
  })
  afterAll(async () => {
    await shop.close()
    await pinterest.close()
  })
  const pinsOf = (description: string) => pinterest.pins.filter((one) => one.description === description)

  it('connects on Pinterest’s page, and lets a person choose the board', async () => {
    pinterest.reachedBy(shop, {})
    const errors = await shop.refusal('POST', '/social_accounts', { platform: 'pinterest' })
    expect(errors.platform[0]).toContain('is not set up on this service. Ask whoever runs it')
    pinterest.reachedBy(shop, PINTEREST_SETTINGS)
    const { id, connect_url } = await shop.post('/social_accounts', { platform: 'pinterest' })
    const { visitor, address } = await shop.setOut(connect_url)
    expect(new URL(address).searchParams.get('scope')).toBe(
      'boards:read,boards:write,pins:read,pins:write,user_accounts:read',
    )
    const page = await visitor.follow(pinterest.allow(address))
    expect(page.text).toContain('Kestrel: Owls & more')
    await visitor.press(page, 'choose', { choice: '1' })
    shop.account = await shop.get(`/social_accounts/${id}`)
    expect(shop.account).toMatchObject({
      ...{ status: 'connected', username: 'kestrel/Owls & more', display_name: 'Kestrel: Owls & more' },
      ...{ followers_count: 12, profile_url: 'https://www.pinterest.com/kestrel/' },
    })
  })

  it('says what to do where there is no board', async () => {
    const { boards } = pinterest
    pinterest.boards = []
    const { connect_url } = await shop.post('/social_accounts', { platform: 'pinterest' })
    const { visitor, address } = await shop.setOut(connect_url)
    expect((await visitor.follow(pinterest.allow(address))).text).toContain('This account has no board.')
    pinterest.boards = boards
  })

  it('pins a picture with its link and description, and reads its figures day by day', async () => {
    const content = 'New in the shop\nA print of a kestrel.'
    const post = await shop.publish({ content, media: [picture], link_url: 'https://kestrel.example/print' })
    const [pin] = pinterest.pins
    expect(pin).toMatchObject({
      ...{ board_id: '72', title: 'New in the shop', description: `${content}\nhttps://kestrel.example/print` },
      ...{ link: 'https://kestrel.example/print', alt_text: 'A kestrel', media_source: { source_type: 'image_url' } },
    })
    expect(Buffer.from(await (await fetch(pin!.media_source.url)).arrayBuffer())).toEqual(PNG)
    expect(post).toMatchObject({
      ...{ status: 'published', platform_post_id: pin!.id },
      platform_url: `https://www.pinterest.com/pin/${pin!.id}/`,
    })
    await shop.sync()
    expect(await shop.figuresOf(post.id)).toEqual([
      expect.objectContaining({ impressions: 7, clicks: 3, saves: 2, likes: 0 }),
    ])
    pinterest.hasFigures = false
    await shop.sync()
    expect((await shop.get(`/social_accounts/${shop.account.id}`)).error_message).toBeNull()
  })

  it('pins several pictures together', async () => {
    const another = await shop.uploaded('bird-2.png', PNG)
    expect(await shop.publish({ content: 'Two', media: [picture, another] })).toMatchObject({ status: 'published' })
    expect(pinterest.pins.at(-1)!.media_source).toMatchObject({ source_type: 'multiple_image_urls' })
    expect(pinterest.pins.at(-1)!.media_source.items).toHaveLength(2)
  })

  it('streams a film to Pinterest’s store and pins it when it is processed', async () => {
    const film = await shop.film(5, 9 * MIB)
    expect(await shop.publish({ content: 'A film', media: [film] })).toMatchObject({ status: 'published' })
    const [medium] = pinterest.media
    const { checksum: hash } = await shop.get(`/files/${film}`)
    expect(medium).toMatchObject({ bytes: 9 * MIB, hash, looks: 2 })
    expect(pinterest.pins.at(-1)!.media_source).toEqual({
      ...{ source_type: 'video_id', media_id: medium!.id, cover_image_key_frame_time: 0 },
    })
    pinterest.endsAs = 'failed'
    const failed = await shop.publish({ content: 'No film', media: [film] })
    expect(failed).toMatchObject({ status: 'failed', error_message: 'Pinterest could not process the video.' })
    pinterest.endsAs = 'succeeded'
    expect(await shop.retry(failed.id)).toMatchObject({ status: 'published' })
  })

  it.each([
    ['the pin', /^POST .*\/pins$/, 1],
    ['the registration', /^POST .*\/media$/, 2],
    ['the store', /^POST films/, 1],
  ])('pins a film once when the answer of %s is lost', async (what, lost, registered) => {
    const content = `Once: ${what}`
    const before = pinterest.media.length
    pinterest.loses = lost
    const post = await shop.publish({ content, media: [await shop.film(5, 1000)] })
    expect(post.status).toBe('pending')
    expect(await shop.hurry(post.id)).toMatchObject({ status: 'published' })
    expect(pinsOf(content)).toHaveLength(1)
    expect(pinterest.media.length - before).toBe(registered)
    expect(shop.running.errors.splice(0)).toHaveLength(1)
  })

  it.each(['http://169.254.169.254/latest', 'https://10.0.0.1/films'])('sends no film to %s', async (address) => {
    pinterest.storeAt = address
    const post = await shop.publish({ content: 'Elsewhere', media: [await shop.film(5, 1000)] })
    pinterest.storeAt = null
    expect(post).toMatchObject({
      ...{ status: 'failed', error_message: expect.stringContaining('The address for the upload must be a public') },
    })
  })

  it('makes another pin of the same words where an earlier one is another post', async () => {
    for (const _ of [1, 2]) await shop.publish({ content: 'Said twice', media: [picture] })
    expect(pinsOf('Said twice')).toHaveLength(2)
  })

  it('pins anew where the lost request never came', async () => {
    pinterest.loses = /^POST .*\/pins$/
    const post = await shop.publish({ content: 'Never came', media: [picture] })
    pinterest.pins = pinterest.pins.filter((one) => one.description !== 'Never came')
    expect(await shop.hurry(post.id)).toMatchObject({ status: 'published' })
    expect(pinsOf('Never came')).toHaveLength(1)
    shop.running.errors.splice(0)
  })

  it('refuses in the words of Pinterest, and waits where it limits the rate', async () => {
    const words = 'Sorry! We blocked this link because it may lead to spam.'
    pinterest.refusesWith = [403, words]
    const blocked = await shop.publish({ content: 'Spam', media: [picture] })
    expect(blocked).toMatchObject({ status: 'failed', error_message: words })
    expect(await shop.retry(blocked.id)).toMatchObject({ status: 'published' })
    pinterest.busySeconds = 90
    const post = await shop.publish({ content: 'Later', media: [picture] })
    const [job] = await shop.waiting()
    expect(job).toMatchObject({ attempts: 0, last_error: 'You have exceeded your rate limit.' })
    expect(Math.abs(Date.parse(job!.run_at) - Date.now() - 90_000)).toBeLessThan(20_000)
    pinterest.busySeconds = 0
    expect(await shop.hurry(post.id)).toMatchObject({ status: 'published' })
    expect(pinsOf('Later')).toHaveLength(1)
  })

  it('holds posts against Pinterest’s limits', async () => {
    const film = await shop.film(3, 1000)
    expect(await shop.errorsFor({ content: 'x'.repeat(801), media: [picture] })).toEqual([
      'Content is too long for Pinterest (801 characters, maximum is 800)',
    ])
    expect(await shop.errorsFor({ media: [film] })).toEqual([
      'Media has a video that is too short for Pinterest (3 seconds, minimum is 4)',
    ])
    expect(await shop.errorsFor({ content: 'x', first_comment: 'Below' })).toEqual([
      'Media must have an image or a video for Pinterest',
      'First comment cannot be posted on Pinterest',
    ])
  })

  it('renews access, and expires where Pinterest refuses', async () => {
    const [before] = pinterest.grants
    await shop.renewNext()
    expect(await shop.publish({ content: 'Renewed', media: [picture] })).toMatchObject({ status: 'published' })
    expect(pinterest.grants).not.toContain(before)
    pinterest.grants = []
    const words = 'Authentication failed.'
    expect(await shop.publish({ content: 'Taken away', media: [picture] })).toMatchObject({ error_message: words })
    expect(await shop.get(`/social_accounts/${shop.account.id}`)).toMatchObject({ status: 'expired' })
  })
})
