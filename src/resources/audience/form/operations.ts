import { equals, search } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { requireTagNames } from '../tag/ids.ts'
import { archiveForm, restoreForm } from './archive.ts'
import { requireAddressToConfirm } from './confirmation.ts'
import { createForm } from './create.ts'
import { deleteForm } from './delete.ts'
import { Form } from './form.ts'
import { newFields } from './settle_fields.ts'
import { deriveForms } from './show.ts'
import { updateForm } from './update.ts'

const { list, create, retrieve, update, remove, action } = verbs(Form)

export const forms = resource(Form, {
  derive: deriveForms,
  operations: [
    list({
      summary: 'List forms',
      filters: {
        status: equals(Form, 'status', 'Only forms in this status'),
        query: search('Part of the name or description, ignoring case'),
      },
    }),
    create({
      summary: 'Create a form',
      description:
        'Its url is a page on which anybody can sign up, ask or register at once, such as a newsletter, a contact form or a survey. Without `fields` it asks for e-mail and name.',
      emits: ['form.created', 'tag.created'],
      checks: [
        { fields: ['fields'], check: (_, { fields = [] }) => newFields(fields) },
        {
          fields: ['fields', 'confirmation_required'],
          check: (_, { fields = [], confirmation_required = false }) =>
            fields.length > 0 && requireAddressToConfirm({ fields, confirmation_required }),
        },
        { fields: ['tags'], check: (_, { tags = [] }) => requireTagNames(tags) },
      ],
      rule: createForm,
    }),
    retrieve({ summary: 'Show one form' }),
    update({
      summary: 'Change a form',
      description:
        '`fields` replaces all questions, in the order of the page: those sent with their id keep it, others are new. Submissions stay as they were answered.',
      emits: ['form.updated', 'tag.created'],
      rule: updateForm,
    }),
    remove({
      summary: 'Delete a form without submissions',
      description: 'With submissions, 400 resource_in_use: archive it instead.',
      emits: ['form.deleted'],
      rule: deleteForm,
    }),
    action('archive', {
      summary: 'Archive a form',
      description: 'It takes no more submissions, and its page says so. What was submitted stays.',
      emits: ['form.archived'],
      evenWhenFull: true,
      rule: archiveForm,
    }),
    action('restore', {
      summary: 'Bring an archived form back',
      description: 'It takes submissions again.',
      emits: ['form.restored'],
      rule: restoreForm,
    }),
  ],
})
