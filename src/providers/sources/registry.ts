import { rss } from './feed/feed.ts'
import type { SourceProvider, Sources } from './provider.ts'
import { schedule } from './schedule/schedule.ts'
import { webhook } from './webhook/webhook.ts'

export function createSources(all: readonly SourceProvider[] = [rss, schedule, webhook]): Sources {
  return { all, find: (provider) => all.find((one) => one.provider === provider) }
}
