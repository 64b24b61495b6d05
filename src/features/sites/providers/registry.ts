import { wantsAgent } from '../../../contract/values/agent-marker.ts'
import type { WebClient } from '../../../providers/web/client.ts'
import { builtInBuilder } from './built-in/built-in.ts'
import { modelBuilder } from './by-model/by-model.ts'
import { repositoryBuilder } from './by-repository/by-repository.ts'
import { builderByTask, readReport } from './by-task/by-task.ts'
import type { SiteBuilders } from './provider.ts'

interface BuilderParts {
  /** Whether this service serves sites. If not, agents publish sites on other hosts. */
  serves: boolean
  /** The URL of the git host without a trailing slash. */
  repositories: string
  web: WebClient
}

export function createBuilders({ serves, repositories, web }: BuilderParts): SiteBuilders {
  const fromRepository = repositoryBuilder(repositories, web)
  return {
    find({ prompt, repository }, { model }) {
      if (!serves || wantsAgent(prompt)) return builderByTask
      if (repository !== null) return fromRepository
      return model ? modelBuilder : builtInBuilder
    },
    readReport,
  }
}
