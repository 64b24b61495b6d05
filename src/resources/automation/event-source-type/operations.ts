import { text } from '../../../contract/declarations/kinds.ts'
import { customList } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { discover } from './discover.ts'
import { EventSourceType } from './event-source-type.ts'

export const eventSourceTypes = resource(EventSourceType, {
  operations: [
    customList({
      id: 'discover_event_sources',
      method: 'GET',
      path: '/event_sources/discover',
      summary: 'List providers and triggers that can be connected',
      description:
        'Shows which external systems, feeds and timetables can start an automation, and how to configure each. Not paginated.',
      answers: EventSourceType,
      query: {
        provider: text('Only this provider', { max: 50, example: 'rss' }),
        query: text('Words in its name, description or event types', { max: 200, example: 'feed' }),
      },
      rule: (context, { query }) => discover(context, query),
    }),
  ],
})
