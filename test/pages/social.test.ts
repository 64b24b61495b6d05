import { describe, expect, it } from 'vitest'
import { type Body, onGateEngine } from '../support/shop.ts'
import { connected } from '../support/social.ts'
import { Visitor } from './visitor.ts'

const REDIRECT = 'https://shop.example/settings?tab=social'

describe('The page that connects a social account', () => {
  onGateEngine((shop) => {
    const asked = (more: object = {}): Promise<Body> =>
      shop.post('/social_accounts', { platform: 'instagram', ...more })
    const visit = async (address: string) => {
      const visitor = new Visitor(shop.running.url)
      return { visitor, page: await visitor.open(address) }
    }
    const account = (id: string) => shop.get(`/social_accounts/${id}`)

    it('says who asks for what, and that it is the sandbox', async () => {
      const { connect_url } = await asked({ username: 'ada.books' })
      const { page } = await visit(connect_url)
      expect(page.status).toBe(200)
      for (const words of ['Connect Instagram', 'ada.books', 'built-in sandbox', 'Nothing is sent to Instagram'])
        expect(page.text).toContain(words)
      expect(page.fields).not.toHaveProperty('username')
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      expect(page.headers.get('cache-control')).toBe('no-store')
    })

    it('connects, and sends the person on to where the shop wants', async () => {
      const { id, connect_url } = await asked({ redirect_url: REDIRECT })
      const { visitor, page } = await visit(connect_url)
      const events = await shop.eventsOf(async () => {
        const done = await visitor.press(page, 'allow', { username: '@ada.on.page', token: 'works' })
        expect(done.text).toContain('Instagram is connected')
        expect(done.headers.get('refresh')).toBe(`0; url=${REDIRECT}&social_account=${id}&status=connected`)
      })
      expect(events.map(({ type }) => type)).toEqual(['social_account.connected'])
      expect(await account(id)).toMatchObject({ status: 'connected', username: 'ada.on.page', connect_url: null })
      const again = await visitor.open(connect_url)
      expect([again.text.includes('is connected'), again.action, again.headers.get('refresh')]).toEqual([
        true,
        null,
        null,
      ])
    })

    it('takes no for an answer, and can be asked again', async () => {
      const { id, connect_url } = await asked({ username: 'not.yet' })
      const { visitor, page } = await visit(connect_url)
      const declined = await visitor.press(page, 'decline', { token: 'works' })
      expect(declined.text).toContain('Access was not allowed')
      expect(await account(id)).toMatchObject({ status: 'pending', error_message: 'Access was not allowed.' })
      await visitor.press(declined, 'allow', { token: 'works' })
      expect(await account(id)).toMatchObject({ status: 'connected', error_message: null })
    })

    it('shows why the platform refused, with another try', async () => {
      const { id, connect_url } = await asked({ username: 'refused.first' })
      const { visitor, page } = await visit(connect_url)
      const refused = await visitor.press(page, 'allow', { token: 'invalid' })
      expect(refused.text).toContain('The sandbox refused access')
      expect(refused.buttons).toEqual(['allow', 'decline'])
      expect((await account(id)).status).toBe('pending')
    })

    it('names what is wrong with what was entered, and keeps it', async () => {
      const { connect_url } = await asked()
      const { visitor, page } = await visit(connect_url)
      const wrong = await visitor.post(page, 'allow', { username: 'two <words>', token: 'works' })
      expect(wrong.status).toBe(422)
      expect(wrong.text).toContain('Account name can contain only letters, digits, dots, hyphens and underscores.')
      expect(wrong.fields.username).toBe('two <words>')
      expect((await visitor.post(page, 'allow', { username: 'fine', token: 'unknown' })).text).toContain(
        'Choose an option from the list',
      )
    })

    it('takes no account that another one is already', async () => {
      await connected(shop)
      const taken = await shop.post('/social_accounts', { platform: 'instagram', username: 'taken.already' })
      const { id, connect_url } = await asked()
      const { visitor, page } = await visit(connect_url)
      const refused = await visitor.press(page, 'allow', { username: 'Taken.Already', token: 'works' })
      expect(refused.text).toContain(`Taken.Already is already connected, as ${taken.id}`)
      expect((await account(id)).status).toBe('pending')
    })

    it('opens for nobody who does not hold its address, nor for a form of another site', async () => {
      const { id, connect_url } = await asked()
      for (const address of [`/social/connect/${id}`, connect_url.replace(/.{3}$/, 'xyz'), '/social/connect/x'])
        expect((await visit(address)).page.status).toBe(404)
      const { visitor, page } = await visit(connect_url)
      const foreign = { headers: { 'Sec-Fetch-Site': 'cross-site' } }
      const entered = { username: 'foreign', token: 'works' }
      expect((await visitor.post(page, 'allow', entered, foreign)).status).toBe(403)
      expect((await account(id)).status).toBe('pending')
      const method = await fetch(connect_url, { method: 'DELETE' })
      expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
    })

    it('is open again while access is renewed', async () => {
      const { id } = await connected(shop)
      const { connect_url } = await shop.post(`/social_accounts/${id}/reconnect`, { redirect_url: REDIRECT })
      const { visitor, page } = await visit(connect_url)
      await visitor.press(page, 'allow', { token: 'works' })
      expect(await account(id)).toMatchObject({ status: 'connected', connect_url: null })
    })

    it('leads to what the sandbox shows in place of the platform', async () => {
      const one = await connected(shop, { platform: 'facebook' })
      const post = await shop.post('/social_posts', {
        ...{ social_accounts: [one.id], content: 'Spring <is> here', link_url: 'https://shop.example/spring' },
        ...{ first_comment: 'Questions?', media: [await shop.file()], publish_now: true },
      })
      const { data } = await shop.get(`/social_posts/${post.id}/targets`)
      const shown = (await visit(data[0].platform_url)).page
      for (const words of [
        'Facebook (sandbox)',
        'Spring <is> here',
        'https://shop.example/spring',
        'Questions?',
        '1 file',
      ])
        expect(shown.text).toContain(words)
      const profile = (await visit(one.profile_url)).page
      expect(profile.text).toContain(`${one.followers_count} followers`)
      await shop.delete(`/social_posts/${post.id}`)
      expect((await visit(data[0].platform_url)).page.text).toBe(shown.text)
      expect((await shop.get(`/social_comments?social_account=${one.id}`)).data).toContainEqual(
        expect.objectContaining({ content: 'Questions?', from_account: true, author_username: one.username }),
      )
      await shop.delete(`/social_accounts/${one.id}`)
      for (const address of [data[0].platform_url, one.profile_url, '/social/sandbox/posts/sdel_x'])
        expect((await visit(address)).page.status).toBe(404)
    })
  })
})
