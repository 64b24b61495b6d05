import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { BodyCheck } from '../../../contract/declarations/operation.ts'
import { didYouMean } from '../../../contract/values/nearest.ts'
import type { SourceProvider } from '../../../providers/sources/provider.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRow, insertRow } from '../../../records/records.ts'
import { deleteRowsOf, requireFewer, rowsOf } from '../../../records/rows-of.ts'
import { forgetSource, sourceIsUsed } from '../task/sources.ts'
import { settleConfig } from './config.ts'
import { EventSource, type EventSourceRow } from './event-source.ts'
import { startSource } from './jobs.ts'

/** Limits the sources of an account, because each causes polls or receives requests. */
const MOST_SOURCES = 100

type Input = CreateInput<typeof EventSource>

export async function createSource(context: Context, input: Input): Promise<EventSourceRow> {
  const provider = providerOf(context, input.provider)
  requireEventType(provider, input.event_type)
  const { whole, kept } = settleConfig(context, provider, input.config)
  await requireFewer(rowsOf(context, 'event_sources'), MOST_SOURCES, 'event sources')
  const source = await insertRow(context, EventSource, { ...input, ...kept, status: 'active' })
  return context.emit(EventSource, 'created', await startSource(context, source, { provider, config: whole }))
}

export const SOURCE_CHECKS: readonly BodyCheck<Context, Partial<Input>>[] = [
  { fields: ['provider'], check: (context, { provider }) => provider !== undefined && providerOf(context, provider) },
  {
    fields: ['provider', 'event_type'],
    check: (context, { provider, event_type }) =>
      provider !== undefined && event_type !== undefined && requireEventType(providerOf(context, provider), event_type),
  },
  {
    fields: ['provider', 'config'],
    check: (context, { provider, config }) =>
      provider !== undefined && config !== undefined && settleConfig(context, providerOf(context, provider), config),
  },
]

function providerOf({ services }: Context, name: string): SourceProvider {
  const provider = services.sources.find(name)
  if (provider) return provider
  const names = services.sources.all.map((one) => one.provider)
  throw invalid({ provider: [notAmong('a provider', name, names)] })
}

function requireEventType({ provider, eventTypes }: SourceProvider, name: string): void {
  const names = eventTypes.map((type) => type.name)
  if (!names.includes(name)) throw invalid({ event_type: [notAmong(`an event type of ${provider}`, name, names)] })
}

function notAmong(kind: string, name: string, names: string[]): string {
  return `is not ${kind}${didYouMean(name, names)}; use ${names.join(' or ')} (see GET /event_sources/discover)`
}

/** Deletes a source that no active task uses. A poll in progress detects the deletion and starts no runs. */
export async function deleteSource(context: Context, source: EventSourceRow): Promise<void> {
  if (await sourceIsUsed(context, source.id))
    throw new ApiError('resource_in_use', 'An active task uses this event source. Pause or delete the task first.')
  await forgetSource(context, source.id)
  if (source.job !== null) await context.cancel(source.job)
  await deleteRowsOf(context, 'event_source_memories').where('event_source', '=', source.id).execute()
  await deleteRow(context, EventSource, source)
  context.emit(EventSource, 'deleted', source)
}
