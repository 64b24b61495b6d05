import { flag, text } from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'

export const SavedView = noun('saved_view', {
  prefix: 'view',
  group: 'SavedViews',
  area: 'self',
  description: 'Filters and an order of a list in the dashboard, under a name.',
  hidden: { user_id: text('The user who saved it') },
  fields: {
    list: text('The list, as the first part of its address', { max: 60, example: 'orders' }).required().createOnly(),
    name: text('Name of its tab', { max: 40, example: 'Unpaid this month' }).required(),
    query: text('Filters and order, as in the address of the list', {
      max: 1000,
      example: 'status=failed&sort=-amount',
    })
      .required()
      .createOnly(),
    shared: flag('Whether everybody in the account sees it, or only the person who saved it').default(false),
    own: flag('Whether the person who asks saved it').derived(),
  },
})

export type SavedViewRow = Row<typeof SavedView>
