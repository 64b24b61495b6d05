import { describe, expect, it } from 'vitest'
import { onEachEngine } from '../support/shop.ts'

const SURVEY = [
  { type: 'email', label: 'E-mail', required: true },
  { type: 'select', label: 'Size', options: ['S', 'M', 'L'] },
  { type: 'textarea', label: 'Anything else?', placeholder: 'Write as you like' },
]

describe('A form', () => {
  onEachEngine((shop) => {
    it('asks for e-mail and name unless it is told what to ask', async () => {
      const asked = [
        { id: 1, type: 'email', label: 'Email', required: true, placeholder: null, options: null, position: 1 },
        { id: 2, type: 'text', label: 'Name', required: false, placeholder: null, options: null, position: 2 },
      ]
      const form = await shop.post('/forms', { name: 'Newsletter' })
      expect(form).toMatchObject({
        status: 'active',
        fields: asked,
        confirmation_required: false,
        notification_emails: [],
        tags: [],
        submissions_count: 0,
        archived_at: null,
        allowed_actions: ['archive'],
        url: `${shop.running.url}/forms/${form.id}`,
      })
      expect((await shop.post('/forms', { name: 'Newsletter', fields: [] })).fields).toEqual(asked)
    })

    it('numbers its fields, and keeps the ids that are sent back', async () => {
      const { id, fields } = await shop.post('/forms', { name: 'Survey', fields: SURVEY })
      expect(fields.map((field: { id: number }) => field.id)).toEqual([1, 2, 3])
      const [address, size, words] = fields
      const changed = await shop.patch(`/forms/${id}`, {
        fields: [words, { type: 'url', label: 'Web site' }, { ...address, label: 'Your e-mail' }],
      })
      expect(changed.fields).toMatchObject([
        { id: 3, position: 1, placeholder: 'Write as you like' },
        { id: 4, position: 2, type: 'url', required: false },
        { id: 1, position: 3, label: 'Your e-mail' },
      ])
      expect(await shop.refusal('PATCH', `/forms/${id}`, { fields: [size] })).toEqual({
        'fields.0.id': ['is not the id of a field of this form; omit it for a new field'],
      })
      const { fields: last } = await shop.patch(`/forms/${id}`, { fields: [address, { ...size, id: null }] })
      expect(last.map((field: { id: number }) => field.id)).toEqual([1, 5])
    })

    it.each([
      [[{ type: 'select', label: 'Size' }], 'fields.0.options', 'must name at least one option for select'],
      [
        [{ type: 'multi_select', label: 'Size', options: [] }],
        'fields.0.options',
        'must name at least one option for multi_select',
      ],
      [[{ type: 'select', label: 'Size', options: ['S', 'S'] }], 'fields.0.options', 'must not repeat an option'],
      [
        [{ type: 'text', label: 'Size', options: ['S'] }],
        'fields.0.options',
        'must be absent for text; only selects have options',
      ],
      [[...SURVEY, { type: 'text', label: ' ' }], 'fields.3.label', "can't be blank"],
      [[{ type: 'text', name: 'size' }], 'fields.0.label', "can't be blank"],
      [[{ type: 'colour', label: 'Colour' }], 'fields.0.type', expect.stringMatching(/^must be one of email, text/)],
      [Array(51).fill(SURVEY[0]), 'fields', 'has too many entries (maximum is 50)'],
    ])('refuses fields that make no question: %j', async (fields, place, message) => {
      expect(await shop.refusal('POST', '/forms', { name: 'Survey', fields })).toEqual({ [place]: [message] })
    })

    it('wants an e-mail field where confirmation is required', async () => {
      const fields = [{ type: 'text', label: 'Name' }]
      const problem = {
        confirmation_required: ['needs a field of type email to send the confirmation to'],
      }
      expect(await shop.refusal('POST', '/forms', { name: 'A', fields, confirmation_required: true })).toEqual(problem)
      const { id } = await shop.post('/forms', { name: 'A', confirmation_required: true })
      expect(await shop.refusal('PATCH', `/forms/${id}`, { fields })).toEqual(problem)
    })

    it('takes tags by name or id, makes unknown names, and shows none that was deleted', async () => {
      const known = await shop.tag({ name: 'Readers' })
      const { id, tags } = await shop.post('/forms', { name: 'Club', tags: ['readers', 'Club members', known.id] })
      expect(tags).toEqual([known.id, expect.stringMatching(/^tag_/)])
      await shop.delete(`/tags/${known.id}`)
      expect((await shop.get(`/forms/${id}`)).tags).toEqual([tags[1]])
    })

    it('is archived and restored, each in its state alone', async () => {
      const { id } = await shop.post('/forms', { name: 'Old' })
      expect(await shop.refusal('POST', `/forms/${id}/restore`)).toEqual([400, 'invalid_state'])
      const archived = await shop.post(`/forms/${id}/archive`)
      expect(archived).toMatchObject({ status: 'archived', allowed_actions: ['restore'] })
      expect(archived.archived_at).not.toBeNull()
      expect(await shop.refusal('POST', `/forms/${id}/archive`)).toEqual([400, 'invalid_state'])
      expect(await shop.listed('/forms?status=archived')).toContain(id)
      expect(await shop.post(`/forms/${id}/restore`)).toMatchObject({ status: 'active', archived_at: null })
      expect(await shop.listed('/forms?status=archived')).not.toContain(id)
    })

    it('is found by words, and deleted only without submissions', async () => {
      const { id } = await shop.post('/forms', { name: 'Reading circle', description: 'Meets on Mondays' })
      expect(await shop.listed('/forms?query=MONDAYS')).toEqual([id])
      await shop.post('/form_submissions', { form_id: id, email: 'ada@example.com' })
      expect(await shop.refusal('DELETE', `/forms/${id}`)).toEqual([400, 'resource_in_use'])
      const empty = await shop.post('/forms', { name: 'Empty' })
      expect(await shop.delete(`/forms/${empty.id}`)).toEqual({ id: empty.id, object: 'form', deleted: true })
    })
  })
})
