import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'

const BASE = '/dashboard/my-shop'
const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

describe('Pages for writing', () => {
  onGateEngine((shop) => {
    let person: Person

    beforeAll(async () => {
      person = await signIn(shop.running)
    })

    const made = (location: string | null) => location!.split('?')[0]!

    it('write a post, preview it, and publish it for readers', async () => {
      const fields = { title: 'By hand', content: '<h2>Part</h2><p>Words</p>' }
      const answer = await person.submit(`${BASE}/blog_posts/new`, fields)
      expect(answer.status).toBe(303)
      const post = made(answer.location)
      const preview = await person.get(`${post}/preview`)
      expect([preview.status, preview.html.includes('<h2>Part</h2>')]).toEqual([200, true])
      expect(preview.headers.get('cache-control')).toBe('no-store')
      expect((await fetch(`${shop.running.url}/s/my-shop/blog/by-hand`)).status).toBe(404)
      expect((await person.submit(`${post}/publish`, {})).status).toBe(303)
      const page = await (await fetch(`${shop.running.url}/s/my-shop/blog/by-hand`)).text()
      expect(page).toContain('<h2>Part</h2>')
      expect((await person.get(post)).html).not.toContain(`${post}/publish"`)
    })

    it('add, move and remove questions without a script, and keep what was typed', async () => {
      const address = `${BASE}/forms/new`
      const added = await person.submit(address, { name: 'Survey', change: 'add fields' })
      expect(added.status).toBe(422)
      let fields = fieldsOf(added.html, address)
      expect([fields.name, fields['fields.#']]).toEqual(['Survey', '0 1 2'])
      fields = { ...fields, 'fields.2.type': 'select', 'fields.2.label': 'Colour', 'fields.2.options': 'Red\nBlue' }
      const moved = await person.post(address, { ...fields, change: 'up fields 2' })
      const less = await person.post(address, { ...fieldsOf(moved.html, address), change: 'remove fields 1' })
      const kept = fieldsOf(less.html, address)
      expect(kept['fields.#']).toBe('0 2')
      const answer = await person.post(address, kept)
      expect(answer.status).toBe(303)
      const form = await shop.running.api('GET', `/forms/${made(answer.location).split('/').at(-1)}`)
      expect(form.body.fields).toMatchObject([
        { type: 'email', label: 'Email', required: true },
        { type: 'select', label: 'Colour', options: ['Red', 'Blue'] },
      ])
      const untouched = await person.submit(`${made(answer.location)}/edit`, {})
      expect(untouched.status).toBe(303)
      const again = await shop.running.api('GET', `/forms/${form.body.id}`)
      expect([again.body.fields, again.body.updated_at]).toEqual([form.body.fields, form.body.updated_at])
    })

    it('name the place of what is wrong in a list', async () => {
      const fields = { name: 'Bad', 'fields.#': '0', 'fields.0.type': 'select', 'fields.0.label': '' }
      const refused = await person.submit(`${BASE}/forms/new`, fields)
      expect(refused.status).toBe(422)
      expect(refused.html).toContain('href="#field-fields.0.label"')
    })

    it('show answers by question, also as CSV that runs no formula', async () => {
      const { body: form } = await shop.running.api('POST', '/forms', { name: 'Ask' })
      const answers = { form_id: form.id, email: 'ada@example.com', name: '=1+1' }
      expect((await shop.running.api('POST', '/form_submissions', answers)).status).toBe(201)
      const page = await person.get(`${BASE}/forms/${form.id}/answers`)
      expect(page.html).toContain('data-label="Name"')
      const csv = await person.get(`${BASE}/forms/${form.id}/answers.csv`)
      expect(csv.html).toContain("'=1+1")
    })

    it('make experiences and formations from fields, never from JSON', async () => {
      for (const kind of [
        'course',
        'download',
        'written_content',
        'embed',
        'link',
        'discord',
        'telegram',
        'event',
        'forum',
      ]) {
        const page = await person.get(`${BASE}/experiences/new?kind=${kind}`)
        expect([kind, page.status, page.html.includes('As JSON')]).toEqual([kind, 200, false])
      }
      const course = {
        name: 'Course',
        item_type: 'course',
        'chapters.#': '0',
        'chapters.0.title': 'First',
        'chapters.0.lessons.#': '0',
        'chapters.0.lessons.0.title': 'Lesson',
      }
      const answer = await person.submit(`${BASE}/experiences/new?kind=course`, course, `${BASE}/experiences/new`)
      expect(answer.status).toBe(303)
      const page = await person.get(`${made(answer.location)}/edit`)
      expect(page.html).toContain('value="Lesson"')
      expect((await person.get(`${BASE}/formations/new`)).html).not.toContain('As JSON')
    })

    it('escape whatever people write, on every page that shows it', async () => {
      const post = made(
        (await person.submit(`${BASE}/blog_posts/new`, { title: EVIL, excerpt: EVIL, seo_title: 'x' })).location,
      )
      const form = made(
        (await person.submit(`${BASE}/forms/new`, { name: EVIL.slice(0, 100), 'fields.0.label': EVIL })).location,
      )
      const task = made((await person.submit(`${BASE}/tasks/new`, { name: EVIL.slice(0, 100), prompt: EVIL })).location)
      for (const address of [
        post,
        `${post}/edit`,
        `${post}/preview`,
        form,
        `${form}/edit`,
        `${form}/answers`,
        task,
        `${task}/edit`,
      ]) {
        const page = await person.get(address)
        expect([address, page.status]).toEqual([address, 200])
        expect(page.html).not.toContain('<script>alert')
        expect(page.html).not.toContain('<img src=x')
      }
    })

    it('are for people of the account alone', async () => {
      const other = await shop.running.another('strangers')
      const stranger = await signIn(shop.running, other.userId)
      const post = made((await person.submit(`${BASE}/blog_posts/new`, { title: 'Ours alone' })).location)
      const own = post.replace('/my-shop/', '/strangers/')
      for (const address of [own, `${own}/edit`, `${own}/preview`, `${own}/publish`, post])
        expect([address, (await stranger.get(address)).status]).toEqual([address, 404])
    })
  })
})

describe('Pages of tasks and posts', () => {
  onGateEngine((shop) => {
    let person: Person

    beforeAll(async () => {
      person = await signIn(shop.running)
    })

    it('plan a task in plain words and show when it runs', async () => {
      const fields = { name: 'Report', prompt: 'Sum up', repeat: 'weekly', weekday: '5', time: '17:30' }
      const answer = await person.submit(`${BASE}/tasks/new`, fields)
      expect(answer.status).toBe(303)
      const page = await person.get(answer.location!)
      expect(page.html).toContain('Every Friday at 17:30')
      expect(page.html).toContain('Next times')
      const task = await shop.running.api('GET', '/tasks')
      expect(task.body.data[0]).toMatchObject({ cron_expression: '30 17 * * 5', approval_mode: 'supervised' })
      const saved = await person.submit(`${answer.location!.split('?')[0]}/edit`, {})
      expect(saved.status).toBe(303)
    })

    it('check a post against the limits of its networks before it is saved', async () => {
      const credentials = { token: 'works' }
      const account = await shop.running.api('POST', '/social_accounts', { platform: 'x', credentials })
      const fields = { content: 'a'.repeat(300), social_accounts: account.body.id, do: 'check' }
      const checked = await person.submit(`${BASE}/social_posts/new`, fields)
      expect(checked.html).toContain('300 of 280 characters')
      const saved = await person.submit(`${BASE}/social_posts/new`, { ...fields, content: 'Short', do: 'save' })
      expect(saved.status).toBe(303)
      const calendar = await person.get(`${BASE}/social`)
      expect([calendar.status, calendar.html.includes('Short')]).toEqual([200, true])
      expect((await person.get(`${BASE}/social/analytics`)).status).toBe(200)
    })
  })
})
