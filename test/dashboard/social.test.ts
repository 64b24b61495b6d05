import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'
import { connected, inDays, received } from '../support/social.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'

describe('The pages of social networks', () => {
  onGateEngine((shop) => {
    let person: Person
    beforeAll(async () => {
      person = await signIn(shop.running)
    })
    const textOf = async (path: string) => words((await person.get(path)).html)
    const post = (id: string) => shop.get(`/social_posts/${id}`)
    const draftOf = async (token = 'works', content = 'Hello') => {
      const { id } = await connected(shop, { token })
      return (await shop.post('/social_posts', { social_accounts: [id], content })).id
    }
    /** The buttons of the page of one thing, by the ends of their addresses. */
    const buttonsOf = async (path: string) => {
      const { html } = await person.get(`${BASE}${path}`)
      return [...html.matchAll(new RegExp(`href="${BASE}${path}/(\\w+)"`, 'g'))].map(([, name]) => name)
    }

    it('write a draft, check it, and publish it', async () => {
      const { id: account } = await connected(shop)
      const form = `${BASE}/social_posts/new`
      const typed = { content: 'Spring is here', social_accounts: account }
      const checked = await person.submit(form, { ...typed, do: 'check' })
      expect([checked.status, words(checked.html)]).toEqual([422, expect.stringContaining('It fits every network')])
      const saved = await person.submit(form, { ...typed, do: 'save' })
      const [, id] = /(spost_\w+)/.exec(saved.location!)!
      expect(await post(id!)).toMatchObject({ status: 'draft', content: 'Spring is here' })
      expect(await textOf(saved.location!)).toContain('Post “Spring is here” saved as a draft.')
      const published = await person.submit(`${BASE}/social_posts/${id}/publish`, {})
      expect(published.location).toBe(`${BASE}/social_posts/${id}?done=done`)
      await shop.settled()
      expect(await post(id!)).toMatchObject({ status: 'published' })
      expect(await textOf(`${BASE}/social_posts/${id}`)).toMatch(/On each account .* Published/)
    })

    it('let a person choose the audience of a post to TikTok, and say what posting it agrees to', async () => {
      const form = `${BASE}/social_posts/new`
      expect((await person.get(form)).html).not.toContain('option_privacy_level')
      const { id: account } = await connected(shop, { platform: 'tiktok' })
      const picture = await shop.file({ content_type: 'image/jpeg' })
      const { html } = await person.get(form)
      const options = [
        ...html.matchAll(/<option value="(\w*)"( selected)?>(Choose|Everyone|Followers|Friends|Only you)/g),
      ]
      expect(options.map(([, value, selected]) => [value, selected])).toEqual(
        ['', 'PUBLIC_TO_EVERYONE', 'FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'].map((one) => [
          one,
          undefined,
        ]),
      )
      const boxes = [...html.matchAll(/name="option_(\w+)" value="true"([^>]*)>/g)]
      expect(boxes.map(([, name, state]) => [name, state])).toEqual(
        ['allow_comments', 'allow_duets', 'allow_stitches', 'discloses', 'your_brand', 'branded_content'].map((one) => [
          one,
          '',
        ]),
      )
      const said = words(html)
      expect(said).toContain('By posting, you agree to TikTok’s Music Usage Confirmation.')
      expect(said).toContain('By posting, you agree to TikTok’s Branded Content Policy and Music Usage Confirmation.')
      expect(said.lastIndexOf('By posting')).toBeLessThan(said.lastIndexOf('Publish now'))

      const typed = { content: 'A bird', social_accounts: account, media: picture }
      for (const [chosen, problem] of [
        [{}, 'Choose who can see the post on TikTok.'],
        [
          { option_privacy_level: 'PUBLIC_TO_EVERYONE', option_discloses: 'true' },
          'Say whether the post on TikTok promotes your brand, a third party, or both.',
        ],
        [
          { option_privacy_level: 'SELF_ONLY', option_discloses: 'true', option_branded_content: 'true' },
          'branded content, which cannot be private on TikTok',
        ],
      ] as const) {
        const refused = await person.submit(form, { ...typed, ...chosen, do: 'publish' })
        expect([refused.status, words(refused.html)]).toEqual([422, expect.stringContaining(problem)])
        for (const name of Object.keys(chosen).slice(1))
          expect(refused.html).toContain(`name="${name}" value="true" checked`)
      }
      const chosen = { option_privacy_level: 'FOLLOWER_OF_CREATOR', option_allow_comments: 'true' }
      const saved = await person.submit(form, { ...typed, ...chosen, content_tiktok: 'On TikTok', do: 'save' })
      const [, id] = /(spost_\w+)/.exec(saved.location!)!
      const stored = {
        tiktok: { content: 'On TikTok', options: { privacy_level: 'FOLLOWER_OF_CREATOR', allow_comments: true } },
      }
      expect((await post(id!)).overrides).toEqual(stored)
      const edit = `${BASE}/social_posts/${id}/edit`
      expect((await person.get(edit)).html).toContain('value="FOLLOWER_OF_CREATOR" selected')
      expect(await textOf(`${BASE}/social_posts/${id}/publish`)).toContain(
        'you agree to TikTok’s Music Usage Confirmation',
      )
      const brand = { media: picture, option_discloses: 'true', option_your_brand: 'true', do: 'publish' }
      const published = await person.submit(edit, brand)
      expect([published.status, words(published.html)]).toEqual([303, ''])
      await shop.settled()
      expect(await post(id!)).toMatchObject({
        status: 'published',
        overrides: { tiktok: { options: { ...stored.tiktok.options, your_brand: true } } },
      })
    })

    it('say before its time that a planned post does not fit any more', async () => {
      const { id: account } = await connected(shop, { platform: 'tiktok' })
      const options = { privacy_level: 'SELF_ONLY' }
      const { id } = await shop.post('/social_posts', {
        ...{ content: 'Later', social_accounts: [account], media: [await shop.file({ content_type: 'image/jpeg' })] },
        ...{ scheduled_at: inDays(3), overrides: { tiktok: { options } } },
      })
      expect(await textOf(`${BASE}/social_posts/${id}`)).not.toContain('It will not go out as it is')
      // An earlier version took posts without options.
      await shop.set('social_posts', id, { overrides: '{}' })
      expect(await textOf(`${BASE}/social_posts/${id}`)).toContain(
        'It will not go out as it is Overrides has no audience for TikTok: a person must choose',
      )
    })

    it('schedule a draft, move it, take it off the calendar, and delete it', async () => {
      const id = await draftOf()
      const own = `/social_posts/${id}`
      expect(await buttonsOf(own)).toEqual(['edit', 'publish', 'schedule', 'duplicate', 'delete'])
      const past = await person.submit(`${BASE}${own}/schedule`, { scheduled_at: '2020-01-01T10:00' })
      expect([past.status, words(past.html)]).toEqual([422, expect.stringContaining('Scheduled')])
      await person.submit(`${BASE}${own}/schedule`, { scheduled_at: inDays(3).slice(0, 16) })
      expect(await post(id)).toMatchObject({ status: 'scheduled' })
      const form = `${BASE}${own}/edit`
      const later = inDays(5).slice(0, 16)
      await person.submit(form, { scheduled_at: later, do: 'save' })
      expect((await post(id)).scheduled_at).toBe(`${later}:00Z`)
      await person.submit(`${BASE}${own}/unschedule`, {})
      expect(await post(id)).toMatchObject({ status: 'draft', scheduled_at: null })
      const gone = await person.submit(`${BASE}${own}/delete`, {})
      expect(await textOf(gone.location!)).toContain('Social post “Hello” deleted.')
      expect((await shop.api('GET', own)).status).toBe(404)
    })

    it('offer what fits the state of a post, and tell accounts apart by their networks', async () => {
      const [x, other] = await Promise.all(
        ['x', 'linkedin'].map((platform) =>
          shop.post('/social_accounts', { platform, username: 'kestrel', credentials: { token: 'works' } }),
        ),
      )
      const social_accounts = [x!.id, other!.id]
      const { id } = await shop.post('/social_posts', { social_accounts, content: 'Soon', scheduled_at: inDays(3) })
      expect(await buttonsOf(`/social_posts/${id}`)).toEqual(['edit', 'publish', 'unschedule', 'duplicate', 'delete'])
      const page = await textOf(`${BASE}/social_posts/${id}`)
      for (const part of ['X kestrel (sandbox), LinkedIn kestrel (sandbox)', 'Back to draft'])
        expect(page).toContain(part)
      const buttons = async (path: string) =>
        [...(await person.get(`${BASE}${path}`)).html.matchAll(/<button name="do" value="(\w+)"/g)].map(
          ([, does]) => does,
        )
      expect(await buttons(`/social_posts/${id}/edit`)).toEqual(['save', 'check', 'publish'])
      expect(await buttons('/social_posts/new')).toEqual(['save', 'check', 'schedule', 'publish'])
      expect(await textOf(`${BASE}/social_posts/${id}/edit`)).toContain('Publish at When it goes out, in the time zone')
    })

    it('try a post again where it failed', async () => {
      const { id: account } = await connected(shop, { token: 'flaky' })
      const failed = (
        await shop.post('/social_posts', { social_accounts: [account], content: 'Hi', publish_now: true })
      ).id
      await shop.settled()
      expect(await textOf(`${BASE}/social_posts/${failed}`)).toMatch(/On each account .* Failed/)
      await person.submit(`${BASE}/social_posts/${failed}/retry`, {})
      await shop.settled()
      expect((await post(failed)).status).toBe('published')
      expect(await buttonsOf(`/social_posts/${failed}`)).toEqual(['duplicate', 'delete'])
    })

    it('answer, like, hide and delete comments', async () => {
      const comment = await received(shop, await connected(shop, { platform: 'facebook' }))
      const own = `/social_comments/${comment}`
      expect(await buttonsOf(own)).toEqual(['reply', 'hide', 'like', 'delete'])
      const empty = await person.submit(`${BASE}${own}/reply`, { content: '' })
      expect([empty.status, words(empty.html)]).toEqual([422, expect.stringContaining('Content')])
      const replied = await person.submit(`${BASE}${own}/reply`, { content: 'Thank you!' })
      const [answer] = (await shop.get(`/social_comments?parent=${comment}`)).data
      expect(answer).toMatchObject({ content: 'Thank you!', from_account: true })
      expect(replied.location).toMatch(/done=done$/)
      for (const [does, after] of [
        ['like', { liked: true }],
        ['hide', { status: 'hidden' }],
        ['unlike', { liked: false }],
        ['unhide', { status: 'visible' }],
      ] as const) {
        const answered = await person.submit(`${BASE}${own}/${does}`, {})
        expect([does, answered.status]).toEqual([does, 303])
        expect(await shop.get(own)).toMatchObject(after)
      }
      await person.submit(`${BASE}${own}/delete`, {})
      expect((await shop.api('GET', own)).status).toBe(404)
    })

    it('say whether posts can be published on an account, and lead to where access is allowed', async () => {
      const { id } = await connected(shop)
      const own = `${BASE}/social_accounts/${id}`
      expect(await textOf(own)).toMatch(/Health Ok Posts can be published\./)
      await shop.set('social_accounts', id, { status: 'expired' })
      expect(await textOf(own)).toMatch(/Health Error Posts cannot be published right now/)
      const asked = await person.submit(`${BASE}/social_accounts/new`, { platform: 'linkedin', username: 'paper' })
      const page = await person.get(asked.location!)
      const [, waiting] = /(sacct_\w+)/.exec(asked.location!)!
      expect(page.html).toContain((await shop.get(`/social_accounts/${waiting}`)).connect_url)
      expect(words(page.html)).toContain('Access not granted yet')
    })

    it('draw the figures of weeks, each drawing with its table', async () => {
      const { html } = await person.get(`${BASE}/social/analytics`)
      const drawings = [...html.matchAll(/<svg class="plot plot-wide".*?<title[^>]*>([^<]+)</gs)].map(
        ([, title]) => title,
      )
      expect(drawings).toEqual(['Impressions', 'Likes', 'Clicks', 'Followers'])
      expect(html.match(/<table><caption class="unseen">(Impressions|Likes|Clicks|Followers)</g)).toHaveLength(4)
      expect(html).not.toMatch(/NaN|undefined|\sstyle="/)
    })

    it('keep drafts apart from what has a day', async () => {
      const draft = await draftOf('works', 'Only an idea')
      const planned = await draftOf('works', 'On its day')
      await shop.post(`/social_posts/${planned}/schedule`, { scheduled_at: inDays(1) })
      const { html } = await person.get(`${BASE}/social?month=${inDays(1).slice(0, 7)}`)
      const [, table = '', after = ''] = /(<div class="calendar">.*?<\/table>)(.*)/s.exec(html) ?? []
      expect([table.includes('On its day'), table.includes('Only an idea')]).toEqual([true, false])
      expect(words(after)).toMatch(/Drafts .*Only an idea/)
      expect(after).toContain(`${BASE}/social_posts/${draft}`)
    })
  })
})
