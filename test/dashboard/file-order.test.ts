import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { connected } from '../support/social.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'

describe('The order of files', () => {
  onGateEngine((shop) => {
    let person: Person
    let [one, two, three] = ['', '', '']

    beforeAll(async () => {
      person = await signIn(shop.running)
      one = await shop.file({ filename: 'one.png' })
      two = await shop.file({ filename: 'two.png' })
      three = await shop.file({ filename: 'three "3".png' })
    })

    /** Presses a button of a form in which these files are chosen. */
    async function press(path: string, name: string, change: string, chosen: string[], typed: Record<string, string>) {
      const { [name]: _, ...others } = fieldsOf((await person.get(path)).html, path.replace(/\?.*/, ''))
      const form = new URLSearchParams({ ...others, ...typed, change })
      for (const id of ['', ...chosen, '']) form.append(name, id)
      return person.postForm(path.replace(/\?.*/, ''), form)
    }
    const chosenIn = (html: string, name: string) =>
      [...html.matchAll(new RegExp(`name="${name}" value="(file_[^"]*)" checked`, 'g'))].map(([, id]) => id)
    const focusIn = (html: string) => /value="(\w+ \w+ file_\w+)"[^>]* autofocus/.exec(html)?.[1]

    it('is changed by buttons that send the form back, with everything that was typed', async () => {
      const path = `${BASE}/products/new`
      const shown = await press(path, 'media', `earlier media ${three}`, [one, two, three], { name: 'A <new> name' })
      expect(shown.status).toBe(422)
      expect(chosenIn(shown.html, 'media')).toEqual([one, three, two])
      expect(fieldsOf(shown.html, path).name).toBe('A <new> name')
      expect(focusIn(shown.html)).toBe(`earlier media ${three}`)
      expect(words(shown.html)).toContain('three "3".png is number 2 of 3 now.')
      expect((await shop.get('/products')).data).toEqual([])
    })

    it('gives the focus to the other button at the end of the way, and stays as it is beyond', async () => {
      const path = `${BASE}/products/new`
      const last = await press(path, 'media', `later media ${one}`, [one, two], {})
      expect([chosenIn(last.html, 'media'), focusIn(last.html)]).toEqual([[two, one], `earlier media ${one}`])
      const first = await press(path, 'media', `earlier media ${one}`, [two, one], {})
      expect([chosenIn(first.html, 'media'), focusIn(first.html)]).toEqual([[one, two], `later media ${one}`])
      const beyond = await press(path, 'media', `later media ${two}`, [one, two], {})
      expect([beyond.status, chosenIn(beyond.html, 'media')]).toEqual([422, [one, two]])
      const unknown = await press(path, 'media', 'later media file_none', [one, two], {})
      expect([unknown.status, chosenIn(unknown.html, 'media'), focusIn(unknown.html)]).toEqual([
        422,
        [one, two],
        undefined,
      ])
    })

    it('is what the product then has, whose first picture is the cover', async () => {
      const product = await shop.product({ name: 'Ordered', status: 'active', media: [one, two] })
      const path = `${BASE}/products/${product.id}/edit`
      const page = await person.get(path)
      expect(words(page.html)).toContain('The first picture is the cover')
      expect(words(page.html)).not.toContain('is number')
      const shown = await press(path, 'media', `earlier media ${two}`, [one, two], {})
      const { media: __, ...others } = fieldsOf(shown.html, path)
      const form = new URLSearchParams(others)
      for (const id of ['', ...chosenIn(shown.html, 'media')]) form.append('media', id!)
      expect((await person.postForm(path, form)).status).toBe(303)
      const { media_gallery: gallery } = await shop.get(`/products/${product.id}`)
      expect(gallery.map(({ id }: Body) => id)).toEqual([two, one])
      const home = await (await fetch(`${shop.running.url}/s/my-shop`)).text()
      expect(home).toContain(`src="${gallery[0].url}"`)
      expect(home).not.toContain(`src="${gallery[1].url}"`)
    })

    it.each([
      ['experiences/new?kind=download', 'files', { name: 'To download' }],
      ['social_posts/new', 'media', { content: 'Said with pictures' }],
    ])('is changed in the same way at %s', async (path, name, typed) => {
      const shown = await press(`${BASE}/${path}`, name, `later ${name} ${one}`, [one, two], {
        ...typed,
        ...(name === 'files' && { item_type: 'download' }),
      })
      expect([shown.status, chosenIn(shown.html, name)]).toEqual([422, [two, one]])
      expect(fieldsOf(shown.html, `${BASE}/${path.replace(/\?.*/, '')}`)).toMatchObject(typed)
      expect(focusIn(shown.html)).toBe(`earlier ${name} ${one}`)
    })

    it('is kept by a post that is edited and takes older files by their ids', async () => {
      const { id: account } = await connected(shop)
      const post = await shop.post('/social_posts', { content: 'Two', social_accounts: [account], media: [two, one] })
      const path = `${BASE}/social_posts/${post.id}/edit`
      expect(chosenIn((await person.get(path)).html, 'media')).toEqual([two, one])
      const { media: _, ...others } = fieldsOf((await person.get(path)).html, path)
      const form = new URLSearchParams({ ...others, do: 'save' })
      for (const value of ['', two, `${one}\r\n${three}`]) form.append('media', value)
      expect((await person.postForm(path, form)).status).toBe(303)
      expect((await shop.get(`/social_posts/${post.id}`)).media).toEqual([two, one, three])
    })

    it('is never what Enter changes', async () => {
      for (const path of ['products/new', 'blog_posts/new', 'social_posts/new', 'experiences/new?kind=download']) {
        const { html } = await person.get(`${BASE}/${path}`)
        const form = html.slice(html.indexOf('<form class="card form"'))
        const [first] = form.match(/<button(?![^>]*type="button")[^>]*>/) ?? []
        expect([path, first]).toEqual([path, expect.not.stringContaining('name="change"')])
      }
    })
  })
})
