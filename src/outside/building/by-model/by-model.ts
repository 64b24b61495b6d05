import type { Models } from '../../models/provider.ts'
import { builtInBuilder } from '../built-in/built-in.ts'
import type { SiteBuilder } from '../provider.ts'
export function modelBuilder(_models: Models): SiteBuilder {
  return builtInBuilder
}
