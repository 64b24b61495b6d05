import { describe, expect, it } from 'vitest'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

const LESSON = { id: 'l1', title: 'Welcome', position: 1, video_url: null, duration_seconds: 90 }
const COURSE = {
  chapters: [{ id: 'c1', title: 'Start', position: 1, lessons: [{ ...LESSON, content_html: '<p>Hello</p>' }] }],
}

const experience = (shop: Shop, item_type: string, content: object, values: object = {}) =>
  shop.experience({ item_type: item_type as 'course', content: JSON.stringify(content), ...values })

describe('An experience', () => {
  onGateEngine((shop) => {
    it('shows its content by its type; lists leave out the texts of lessons', async () => {
      const id = await experience(shop, 'course', COURSE)
      expect((await shop.get(`/experiences/${id}`)).content).toEqual(COURSE)
      const listed = (await shop.get('/experiences')).data.find((one: Body) => one.id === id)
      expect(listed.content).toEqual({ chapters: [{ ...COURSE.chapters[0], lessons: [LESSON] }] })
      const written = { title: 'Notes', body_html: '<p>Words</p>' }
      const other = await experience(shop, 'written_content', written)
      expect((await shop.get('/experiences?item_type=written_content')).data).toMatchObject([
        { id: other, content: written },
      ])
    })

    it('is found by type and access', async () => {
      const account = shop.as(await shop.running.another('experience-lists'))
      const open = await experience(account, 'link', { links: [] }, { access_type: 'open' })
      const secret = await experience(account, 'embed', { url: 'https://example.com' })
      expect(await account.listed('/experiences')).toEqual([secret, open])
      expect(await account.listed('/experiences?access_type=open')).toEqual([open])
      expect(await account.listed('/experiences?item_type[]=embed&item_type[]=course')).toEqual([secret])
      expect((await account.api('POST', '/experiences', {})).status).toBe(405)
    })

    it('names the products whose prices include it', async () => {
      const id = await experience(shop, 'embed', { url: 'https://example.com' })
      const { slug } = await shop.get(`/experiences/${id}`)
      expect((await shop.get(`/experiences/${slug}`)).products).toEqual([])
      const [first, second, none] = [await shop.product(), await shop.product(), await shop.product()]
      for (const product of [first, first, second]) await shop.price(product.id, { experience_ids: [id] })
      await shop.price(none.id)
      expect((await shop.get(`/experiences/${id}`)).products).toEqual([first.id, second.id])
      const { products } = await shop.get(`/experiences/${id}?expand=products`)
      expect(products.map((product: Body) => product.name)).toEqual([first.name, second.name])
      const expanded = await shop.get(`/products/${first.id}?expand=price_variants.experiences`)
      expect(expanded.price_variants[0].experiences[0]).toMatchObject({ id, object: 'experience' })
    })

    it('shows its files in full when they are expanded', async () => {
      const [one, two] = [await shop.file(), await shop.file({ filename: 'two.pdf' })]
      const id = await experience(shop, 'download', { files: [two, one] })
      expect((await shop.get(`/experiences/${id}`)).content).toEqual({ files: [two, one] })
      const { content } = await shop.get(`/experiences/${id}?expand=content.files,products`)
      expect(content.files).toEqual([await shop.get(`/files/${two}`), await shop.get(`/files/${one}`)])
      const listed = await shop.get('/experiences?item_type=download&expand=content.files')
      expect(listed.data[0].content.files[0].object).toBe('file')
      for (const wrong of ['content', 'content.chapters', 'files', 'content.files.url'])
        expect(await shop.refusal('GET', `/experiences/${id}?expand=${wrong}`)).toEqual([
          400,
          'parameter_invalid',
          'expand',
        ])
    })
  })
})
