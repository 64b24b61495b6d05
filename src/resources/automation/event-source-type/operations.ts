import { invalidParameter } from '../../../contract/declarations/errors.ts'
import { text } from '../../../contract/declarations/kinds.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import { writtenObjectSchema } from '../../../contract/documents/schemas.ts'
import { didYouMean } from '../../../contract/values/nearest.ts'
import type { SourceProvider } from '../../../providers/sources/provider.ts'
import type { Context } from '../../../records/context.ts'
import { type CustomPage, customList } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
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

async function discover(
  { services }: Context,
  { provider, query = '' }: { provider?: string; query?: string },
): Promise<CustomPage<AnswerOf<typeof EventSourceType>>> {
  const { all } = services.sources
  if (provider !== undefined && !services.sources.find(provider)) throw unknown(provider, all)
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = all.filter((one) => (provider === undefined || one.provider === provider) && contains(one, words))
  return { rows: found.map(typeOf), hasMore: false }
}

function unknown(provider: string, all: readonly SourceProvider[]) {
  const names = all.map((one) => one.provider)
  return invalidParameter('provider', `is not a provider${didYouMean(provider, names)}; use ${names.join(', ')}`)
}

function contains({ provider, name, description, eventTypes }: SourceProvider, words: string[]): boolean {
  const types = eventTypes.flatMap((type) => [type.name, type.description])
  const all = [provider, name, description, ...types].join('\n').toLowerCase()
  return words.every((word) => all.includes(word))
}

function typeOf({ provider, name, description, eventTypes, config }: SourceProvider): AnswerOf<typeof EventSourceType> {
  const config_schema = { ...writtenObjectSchema(config), additionalProperties: false }
  return { provider, name, description, event_types: [...eventTypes], config_schema }
}
