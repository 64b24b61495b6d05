import { equals, search } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { requireTagNames } from '../tag/ids.ts'
import { Form, requireAddressToConfirm } from './form.ts'
import { newFields } from './settle-fields.ts'
import { deriveForms } from './show.ts'
import { archiveForm, createForm, deleteForm, restoreForm, updateForm } from './write.ts'

const { list, create, retrieve, update, remove, action } = verbs(Form)

export const forms = resource(Form, {
  derive: deriveForms,
  operations: [
    list({
      summary: 'List forms',
      filters: {
        status: equals(Form, 'status', 'Only forms in this status'),
        query: search('Text in the name or description, ignoring case and accents'),
      },
    }),
    create({
      summary: 'Create a form',
      description:
        'Its url is a public page for signing up, asking or registering, such as a newsletter, contact form or survey. Without `fields` it asks for e-mail and name. The first field of type text is taken for the person’s name, so ask for a company in a textarea. Answering or tagging by itself is the work of a task for form_submission.created: POST /tasks.',
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
        '`fields` replaces all questions, in page order: those sent with their id keep it, others are new. Earlier submissions do not change.',
      emits: ['form.updated', 'tag.created'],
      rule: updateForm,
    }),
    remove({
      summary: 'Delete a form without submissions',
      description: 'If it has submissions, 400 resource_in_use: archive it instead.',
      emits: ['form.deleted'],
      rule: deleteForm,
    }),
    action('archive', {
      summary: 'Archive a form',
      description: 'It accepts no more submissions, and its page says so. Earlier submissions are kept.',
      emits: ['form.archived'],
      evenWhenFull: true,
      rule: archiveForm,
    }),
    action('restore', {
      summary: 'Restore an archived form',
      description: 'It accepts submissions again.',
      emits: ['form.restored'],
      rule: restoreForm,
    }),
  ],
})
