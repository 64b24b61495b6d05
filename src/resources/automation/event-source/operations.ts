import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { EventSource } from './event-source.ts'
import { passTime, pollSource } from './jobs.ts'
import { deriveAddress } from './show.ts'
import { createSource, deleteSource, SOURCE_CHECKS } from './write.ts'

const { list, create, retrieve, remove } = verbs(EventSource)

export const eventSources = resource(EventSource, {
  derive: deriveAddress,
  jobs: [pollSource, passTime],
  operations: [
    list({
      summary: 'List event sources',
      filters: {
        provider: equals(EventSource, 'provider', 'Only sources of this provider'),
        status: equals(EventSource, 'status', 'Only sources of this status'),
      },
    }),
    create({
      inTurn: true,
      summary: 'Connect an event source',
      description:
        'Lets external systems (webhook), feeds (rss) or a timetable (schedule) start the tasks whose event_source is its id. GET /event_sources/discover describes each provider’s configuration; errors name the field, such as config.url. A feed is read once before the response, which shows whether that worked; in a program it is read after the commit, so check its status later. Up to 100 sources.',
      checks: SOURCE_CHECKS,
      rule: createSource,
    }),
    retrieve({ summary: 'Show one event source' }),
    remove({
      summary: 'Remove an event source',
      description:
        'Not allowed while an active task uses it; it is removed from paused tasks. Its URL answers 404 from then on.',
      emits: ['event_source.deleted', 'ai_task.updated'],
      rule: deleteSource,
    }),
  ],
})
