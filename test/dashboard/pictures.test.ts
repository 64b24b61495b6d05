import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { type Body, onGateEngine } from '../support/shop.ts'

const BASE = '/dashboard/my-shop'
const made = (location: string | null) => location!.split('?')[0]!

describe('Choosing pictures', () => {
  onGateEngine((shop) => {
    let person: Person
    let first: string
    let second: string
    let paper: string

    beforeAll(async () => {
      person = await signIn(shop.running)
      first = await shop.file({ filename: 'first.png' })
      second = await shop.file({ filename: 'second.png', title: 'The "second"' })
      paper = await shop.file({ filename: 'paper.pdf', content_type: 'application/pdf' })
    })

    const addressOf = async (id: string): Promise<string> => (await shop.get(`/files/${id}`)).file_url
    /** The values of a choice in a page, in their order, and those that are chosen. */
    function choiceOf(html: string, name: string): { values: string[]; chosen: string[] } {
      const inputs = html.match(new RegExp(`<input type="(checkbox|radio)" name="${name}"[^>]*>`, 'g')) ?? []
      const givenIn = (input: string) => /value="([^"]*)"/.exec(input)![1]!
      return { values: inputs.map(givenIn), chosen: inputs.filter((input) => / checked/.test(input)).map(givenIn) }
    }

    it('makes a gallery of thumbnails, the chosen ones first and in their order', async () => {
      const { html } = await person.get(`${BASE}/products/new`)
      expect(choiceOf(html, 'media').values).toEqual([second, first])
      expect(html).toContain(`<img src="${await addressOf(first)}" alt="" loading="lazy"`)
      const product = await shop.product({ media: [first, paper] })
      const edit = `${BASE}/products/${product.id}/edit`
      const again = choiceOf((await person.get(edit)).html, 'media')
      expect(again).toEqual({ values: [first, paper, second], chosen: [first, paper] })
      const fields = fieldsOf((await person.get(edit)).html, edit)
      const { media: _, ...others } = fields
      const form = new URLSearchParams(others)
      for (const id of ['', second, first, '']) form.append('media', id)
      expect((await person.postForm(edit, form)).status).toBe(303)
      expect((await shop.get(`/products/${product.id}`)).media_gallery.map(({ id }: Body) => id)).toEqual([
        second,
        first,
      ])
    })

    it('takes older files by their ids, and shows what is unknown again', async () => {
      const unknown = 'file_01k9z6v8q2f3x7c5m1n4b0r8ta'
      const address = `${BASE}/products/new`
      const form = new URLSearchParams({ ...fieldsOf((await person.get(address)).html, address), name: 'Older' })
      form.delete('media')
      for (const value of ['', first, `${paper}\r\n${unknown}`]) form.append('media', value)
      const refused = await person.postForm(address, form)
      expect(refused.status).toBe(404)
      expect(choiceOf(refused.html, 'media').chosen).toEqual([first, paper])
      expect(refused.html).toContain(`spellcheck="false">\n${unknown}</textarea>`)
    })

    it('offers the newest, as many as anybody looks through, pictures before all', async () => {
      const other = shop.as(await shop.running.another('many-files'))
      const { user_id } = await shop.db
        .selectFrom('memberships')
        .select('user_id')
        .where('account_id', '=', other.accountId)
        .executeTakeFirstOrThrow()
      const someone = await signIn(shop.running, user_id)
      const pictures: string[] = []
      for (let count = 0; count < 30; count++) pictures.push(await other.file())
      for (let count = 0; count < 110; count++) await other.file({ content_type: 'application/zip' })
      const { html } = await someone.get('/dashboard/many-files/products/new')
      expect(choiceOf(html, 'media').values).toEqual(pictures.reverse().slice(0, 24))
    })

    it('gives a post its picture with what it shows, which readers get', async () => {
      const address = `${BASE}/blog_posts/new`
      const [one, two] = [await addressOf(first), await addressOf(second)]
      const { html } = await person.get(address)
      expect(choiceOf(html, 'featured_image_url')).toEqual({ values: ['', two, one], chosen: [''] })
      const fields = { title: 'Pictured', featured_image_alt: 'Two "pens" & ink' }
      const form = new URLSearchParams({ ...fieldsOf(html, address), ...fields })
      form.delete('featured_image_url')
      for (const value of [two, '']) form.append('featured_image_url', value)
      const post = made((await person.postForm(address, form)).location)
      expect(choiceOf((await person.get(`${post}/edit`)).html, 'featured_image_url').chosen).toEqual([two])
      expect((await person.submit(`${post}/publish`, {})).status).toBe(303)
      const page = await (await fetch(`${shop.running.url}/s/my-shop/blog/pictured`)).text()
      expect(page).toContain(`<img class="featured" src="${two}" alt="Two &quot;pens&quot; &amp; ink">`)
      const untouched = await person.submit(`${post}/edit`, {})
      expect(untouched.status).toBe(303)
      const id = post.split('/').at(-1)
      expect(await shop.get(`/blog_posts/${id}`)).toMatchObject({ featured_image_url: two, ...fields })
    })

    it('takes another address in place of the choice, and shows it again', async () => {
      const address = `${BASE}/blog_posts/new`
      const { html } = await person.get(address)
      const form = new URLSearchParams({ ...fieldsOf(html, address), title: 'From outside' })
      form.delete('featured_image_url')
      for (const value of [await addressOf(first), 'https://example.com/a.png'])
        form.append('featured_image_url', value)
      const post = made((await person.postForm(address, form)).location)
      const edit = await person.get(`${post}/edit`)
      expect(choiceOf(edit.html, 'featured_image_url').chosen).toEqual(['https://example.com/a.png'])
      const bad = new URLSearchParams({ ...fieldsOf(html, address), title: 'Bad' })
      bad.append('featured_image_url', 'javascript:alert(1)')
      const refused = await person.postForm(address, bad)
      expect([refused.status, /<img[^>]+javascript:/.test(refused.html)]).toEqual([422, false])
    })

    it('puts a picture at the end of a text without a script, and keeps what was typed', async () => {
      const address = `${BASE}/blog_posts/new`
      const picture = await addressOf(second)
      const fields = {
        title: 'Illustrated',
        content: '<p>Words</p>',
        'picture-words-of.content': 'A "quill" <b>',
        change: 'picture content',
      }
      const form = new URLSearchParams({ ...fieldsOf((await person.get(address)).html, address), ...fields })
      for (const value of [picture, '']) form.append('picture-of.content', value)
      const shown = await person.postForm(address, form)
      expect(shown.status).toBe(422)
      const again = fieldsOf(shown.html, address)
      const image = `<img src="${picture}" alt="A &quot;quill&quot; &lt;b&gt;">`
      expect([again.title, again.content?.trim()]).toEqual(['Illustrated', `<p>Words</p><p>${image}</p>`])
      expect(again['picture-words-of.content']).toBe('')
      expect(choiceOf(shown.html, 'picture-of.content').chosen).toEqual([])
      const post = made((await person.post(address, again)).location)
      const { content } = await shop.get(`/blog_posts/${post.split('/').at(-1)}`)
      expect(content).toContain(`src="${picture}"`)
    })

    it('offers pictures for a text in a list when they are asked for, and puts one at its end', async () => {
      const address = `${BASE}/experiences/new`
      const text = 'chapters.0.lessons.1.content_html'
      const typed = {
        item_type: 'course',
        name: 'Illustrated course',
        'chapters.#': '0',
        'chapters.0.title': 'One',
        'chapters.0.lessons.#': '0 1',
        'chapters.0.lessons.0.title': 'First',
        'chapters.0.lessons.1.title': 'Second',
        [text]: '<p>Words</p>',
      }
      const blank = fieldsOf((await person.get(`${address}?kind=course`)).html, address)
      const asked = await person.post(address, { ...blank, ...typed, change: `pictures ${text}` })
      expect(asked.status).toBe(422)
      expect(choiceOf(asked.html, `picture-of.${text}`).values).toContain(await addressOf(second))
      expect(asked.html).toContain('data-editor-target="picture" open><summary autofocus>')
      expect(asked.html).not.toContain('name="picture-of.chapters.0.lessons.0.content_html"')
      expect(asked.html).toContain('value="pictures chapters.0.lessons.0.content_html"')
      const shown = fieldsOf(asked.html, address)
      expect(shown).toMatchObject(typed)
      const none = await person.post(address, { ...shown, change: `picture ${text}` })
      expect([none.status, none.html.includes('<summary autofocus>')]).toEqual([422, true])
      const choice = { [`picture-of.${text}`]: await addressOf(second), [`picture-words-of.${text}`]: 'A quill' }
      const added = await person.post(address, { ...shown, ...choice, change: `picture ${text}` })
      expect(added.html).not.toContain('<summary autofocus>')
      const experience = made((await person.post(address, fieldsOf(added.html, address))).location)
      const { content } = await shop.get(`/experiences/${experience.split('/').at(-1)}`)
      const [{ lessons }] = content.chapters
      expect(lessons.map(({ title }: Body) => title)).toEqual(['First', 'Second'])
      // The text keeps the address without an expiry.
      const [before, after] = (await addressOf(second)).split(/(?<=\/files\/file_\w+\/)[^/]+(?=\/)/)
      expect(lessons[1].content_html).toMatch(
        new RegExp(`^<p>Words</p><p><img src="${before}[\\w-]+${after}" alt="A quill"`),
      )
    })

    it('warns before a file is deleted that a post shows, and says what keeps another', async () => {
      const shown = await shop.file({ filename: 'shown.png' })
      const url = await addressOf(shown)
      await shop.blogPost({
        title: 'With it in the text',
        content: `<p><img src="${url}" alt=""></p>`,
        status: 'draft',
      })
      await shop.blogPost({ title: 'With it at the top', featured_image_url: url })
      await shop.blogPost({ title: 'Without it' })
      const page = await person.get(`${BASE}/files/${shown}/delete`)
      expect(page.html).toContain('will be missing')
      expect(page.html).toContain('With it in the text</a>')
      expect(page.html).toContain('With it at the top</a>')
      expect(page.html).not.toContain('Without it')
      expect((await person.get(`${BASE}/files/${shown}`)).html).toContain('With it at the top</a>')
      expect((await person.submit(`${BASE}/files/${shown}/delete`, {})).status).toBe(303)
      const kept = await shop.file({ filename: 'kept.png' })
      await shop.product({ name: 'Keeper', media: [kept] })
      const keeping = await person.get(`${BASE}/files/${kept}/delete`)
      expect(keeping.html).toContain('It cannot be deleted while it is in use.')
      expect(keeping.html).toContain('>Keeper</a>')
      const refused = await person.submit(`${BASE}/files/${kept}/delete`, {})
      expect([refused.status, refused.html.includes('Remove it there first.')]).toEqual([400, true])
      const nowhere = await person.get(`${BASE}/files/${await shop.file()}/delete`)
      expect(nowhere.html).toContain('This cannot be undone')
      expect(nowhere.html).not.toContain('gap')
    })
  })
})
