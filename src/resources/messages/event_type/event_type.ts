import { text } from '../../../contract/kinds.ts'
import { answerNoun } from '../../../contract/noun.ts'

export const EventType = answerNoun('event_type', {
  group: 'Events',
  description: 'A type of event that a webhook endpoint can hear of.',
  listOrder: 'by name',
  fields: {
    name: text('Name; what enabled_events of a webhook endpoint lists', { example: 'customer.created' }),
    resource: text('Resource that the data of such an event is', { example: 'customer' }),
    description: text('A sentence about when it is sent', { example: 'A customer was created.' }),
  },
})
