import type { SourceProvider, Sources } from './provider.ts'
import { rss } from './rss.ts'
import { schedule } from './schedule.ts'
import { webhook } from './webhook.ts'

/** The providers that are built in. */
export function createSources(all: readonly SourceProvider[] = [rss, schedule, webhook]): Sources {
  return { all, find: (provider) => all.find((one) => one.provider === provider) }
}
