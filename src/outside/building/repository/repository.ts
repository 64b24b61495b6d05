import type { WebClient } from '../../web/client.ts'
import { builtInBuilder } from '../built-in/built-in.ts'
import type { SiteBuilder } from '../provider.ts'
export function repositoryBuilder(_host: string, _web: WebClient): SiteBuilder {
  return builtInBuilder
}
