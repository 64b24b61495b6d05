import { text } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const EventType = answerNoun('event_type', {
  group: 'Events',
  area: 'account',
  description: 'A type of event that a webhook endpoint can receive.',
  gist: '',
  listOrder: 'by name',
  fields: {
    name: text('Name, as used in enabled_events of webhook endpoints', { example: 'customer.created' }),
    resource: text('Type of resource in the data of the event', { example: 'customer' }),
    description: text('When the event is sent', { example: 'A customer was created.' }),
  },
})
